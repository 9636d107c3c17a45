import type { fairDraw, fairKeeper } from '@drawhouse/contract/draws/draws';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { paysInUnits } from '@drawhouse/rules/pays';
import type { Queryable } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { readPublished } from '../keepers/draw-keepers.sql.ts';
import type { PublishedPlace } from '../keepers/draw-keepers.sql.ts';
import { listDays } from '../keepers/keeper-days.sql.ts';
import { OF_DRAND, readFaults } from '../keepers/wrong-answers.sql.ts';
import type { Keeping } from '../keepers/keeping.ts';
import type { Services } from '../services.ts';
import { noDraw } from './cleared-draws.ts';
import { findDraw } from './draws.sql.ts';
import type { DrawRow } from './draws.sql.ts';
import { findKnowable } from './kept-seed.ts';
import { findUndoneDraw } from './undone-draws.sql.ts';
import type { PublishedParts } from './undone-draws.sql.ts';

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
    undone: undone ? { at: undone.undone_at.toISOString(), backupOf: undone.taken_at.toISOString() } : null,
    ...(undone ? (undone.parts ?? NO_PARTS) : draw.kept ? await readPublishedParts(db, draw) : NO_PARTS),
  };
}

const NO_PARTS: PublishedParts = { keepers: [], beacon: null, faults: [], knowable: null };

/** What is published of what others keep of a draw's seed: their seeds with the server's own. */
export async function readPublishedParts(
  db: Queryable,
  draw: Pick<DrawRow, 'network_id' | 'id' | 'seed' | 'kept'>,
): Promise<PublishedParts> {
  const { places, beacon } = await readPublished(db, draw.network_id, draw.id);
  const isPublic = draw.seed !== null;
  const knowable = await findKnowable(db, draw);
  const faults = await readFaults(db, draw.network_id, draw.id);
  return {
    keepers: places.map((place) => publishedPlace(place, isPublic)),
    beacon: beacon &&
      draw.kept!.beacon && {
        ...draw.kept!.beacon,
        round: Number(beacon.round),
        signature: isPublic ? (beacon.signature?.toString('hex') ?? null) : null,
      },
    faults: faults.map(({ place, reason, at }) => ({
      by: place === OF_DRAND ? 'drand' : (draw.kept!.keepers[place]?.name ?? ''),
      reason,
      at: at.toISOString(),
    })),
    knowable: knowable
      ? {
          result: knowable.result,
          resultLabel: knowable.label,
          booster: knowable.booster,
          pays: knowable.pays === null ? null : pointsOf(knowable.pays),
        }
      : null,
  };
}

function publishedPlace(place: PublishedPlace, isPublic: boolean): RouteResult<typeof fairDraw>['keepers'][number] {
  const { path } = place;
  return {
    name: place.name,
    publicKey: place.keeper.toString('hex'),
    day: place.day,
    size: place.size,
    root: place.root.toString('hex'),
    daySignature: place.day_signature.toString('hex'),
    index: place.index,
    commitment: place.commitment.toString('hex'),
    path: Array.from({ length: path.length / NODE_BYTES }, (_, nth) =>
      path.toString('hex', nth * NODE_BYTES, (nth + 1) * NODE_BYTES),
    ),
    closesAt: place.closes_at.toISOString(),
    askedAt: place.asked_at?.toISOString() ?? null,
    seed: isPublic ? (place.seed?.toString('hex') ?? null) : null,
    releasedAt: isPublic ? (place.released_at?.toISOString() ?? null) : null,
    signature: isPublic ? (place.signature?.toString('hex') ?? null) : null,
  };
}

/** Who keeps the seeds of draws that open now beside the server, with what keepers have published of today and the days to come. */
export async function readFairKeepers(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  keeping: Keeping,
): Promise<RouteResult<typeof fairKeeper>> {
  const { keepers, beacon } = keeping.known();
  const today = clock.now().toISOString().slice(0, 10);
  return {
    selfKept: !keeping.isShared,
    keepers: await Promise.all(
      keepers.map(async ({ name, publicKey }) => ({
        name,
        publicKey,
        days: (await listDays(db, Buffer.from(publicKey, 'hex'), today)).map((day) => ({
          day: day.day,
          size: day.size,
          root: day.root.toString('hex'),
          signature: day.signature.toString('hex'),
          seenAt: day.seen_at.toISOString(),
          other: day.other,
        })),
      })),
    ),
    beacon,
    deadlineSeconds: keeping.deadlineMs / 1_000,
  };
}
