import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { paysInUnits } from '@drawhouse/rules/pays';
import { CallError } from '../http/http-errors.ts';
import type { Services } from '../services.ts';
import { noDraw } from './cleared-draws.ts';
import { findDraw } from './draws.sql.ts';
import { publishedBeacons, wouldHaveBeen } from './seed/published-values.ts';
import { findUndoneDraw } from './undone-draws.sql.ts';

/** All that anyone needs to check a draw. Throws NOT_FOUND, which says where it was cleared. */
export async function readFairDraw(services: Services, drawId: string): Promise<RouteResult<typeof fairDraw>> {
  const { db } = services;
  const undone = await findUndoneDraw(db, drawId);
  const draw = undone ?? (await findDraw(db, drawId));
  if (!draw) throw new CallError('NOT_FOUND', { message: await noDraw(services, drawId) });
  const isPublic = draw.draw_status === 'settled' || draw.draw_status === 'settling';
  return {
    drawId: draw.id,
    gameId: draw.game_key,
    gameName: draw.name,
    family: draw.family,
    digits: draw.digits,
    number: Number(draw.number),
    status: draw.draw_status,
    opensAt: draw.opens_at.toISOString(),
    closesAt: draw.closes_at.toISOString(),
    drawsAt: draw.draws_at.toISOString(),
    commitment: draw.commitment.toString('hex'),
    rulesVersion: draw.rules_version,
    unitPrice: pointsOf(draw.unit_price),
    pays: paysInUnits(draw.pays),
    weights: [...draw.weights],
    resultMode: draw.result_mode,
    manualClaims: draw.manual_claims,
    ticketRoot: draw.ticket_root?.toString('hex') ?? null,
    tickets: draw.ticket_count,
    ticketsCleared: draw.tickets_cleared,
    seed: draw.seed?.toString('hex') ?? null,
    voidCause: draw.void_cause,
    result: isPublic ? draw.result : null,
    resultLabel: isPublic ? draw.result_label : null,
    booster: isPublic ? draw.booster : null,
    source: isPublic ? draw.source : null,
    beacons: publishedBeacons(draw),
    wouldHaveBeen: wouldHaveBeen(draw),
    undone: undone ? { at: undone.undone_at.toISOString(), backupOf: undone.taken_at.toISOString() } : null,
  };
}
