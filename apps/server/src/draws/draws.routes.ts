import {
  fairDraw,
  getTimer,
  LISTED_RESULTS,
  nextDraw,
  playerResults,
  playerState,
} from '@drawhouse/contract/draws/draws';
import type { Actor } from '../accounts/authority.ts';
import { visiblePair, gameNotOpen } from '../games/pairs/pairs.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import {
  awaitedDraws,
  currentDraw,
  findDraw,
  lastResults,
  toAwaitedDraw,
  toDrawView,
  type DrawRow,
} from './draws.sql.ts';
import type { Services } from '../platform/services.ts';
import { readNextDraw, readTimer } from './schedule/next-draws.ts';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { outcomeImages } from '../games/catalogue/game-images.ts';
import { limitsOfPair } from '../games/pairs/game-limits.ts';
import { findOwnPair, rulesOf } from '../games/games.sql.ts';
import { balanceOf } from '../ledger/wallets.ts';
import { paysInUnits } from '@drawhouse/rules/games/pays';
import { CallError } from '../platform/http/http-errors.ts';
import { drawNotFoundMessage, findUndoneDraw } from './states/missing-draws.ts';
import { roundOfDraw } from '@drawhouse/rules/fair/beacon-rounds';
import { generateResult } from './results/generate-result.ts';
import { deriveDrawSeed } from './seed/draw-seeds.ts';

export function drawsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(playerState, ({ query }, { actor }) => readPlayerState(services, actor, query.gameId)),
    handle(playerResults, async ({ query }, { actor }: { actor: Actor }) => {
      const pair = await visiblePair(services.db, actor, query);
      const data = await lastResults(services.db, pair, LISTED_RESULTS);
      return { gameName: pair.name, family: pair.family, digits: pair.digits, data };
    }),
    handle(getTimer, ({ query }, { actor }: { actor: Actor }) => readTimer(services, actor, query)),
    handle(nextDraw, ({ query }, { actor }: { actor: Actor }) => readNextDraw(services, actor, query)),
    handle(fairDraw, ({ params }) => readFairDraw(services, params.drawId)),
  ];
}

async function readPlayerState(
  { db, clock }: Services,
  actor: Actor,
  gameKey: string,
): Promise<RouteResult<typeof playerState>> {
  const pair = await findOwnPair(db, { networkId: actor.networkId, gameKey });
  if (!pair?.running) throw gameNotOpen();
  const now = clock.now();
  const { draw, next } = await currentDraw(db, pair, now);
  const opened = draw ?? pair;
  const rules = rulesOf(opened);
  const images = await outcomeImages(db, pair.game_id);
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    draw: draw ? toDrawView(draw) : null,
    nextOpensAt: next?.opensAt.toISOString() ?? null,
    serverTime: now.toISOString(),
    walletBalance: pointsOf(await balanceOf(db, actor.networkId, `credit:${actor.id}`)),
    winnings: pointsOf(await balanceOf(db, actor.networkId, `winnings:${actor.id}`)),
    manualClaims: opened.manual_claims ? 'yes' : 'no',
    unitPrice: pointsOf(opened.unit_price),
    heads: rules.heads.map((head) => ({
      head: head.name,
      label: head.label,
      pay: pointsOf(BigInt(head.payHundredths)),
    })),
    outcomes: rules.outcomes.map(({ drawno, label, color = null }, index) => ({
      drawno,
      label,
      color,
      image: images[index] ?? null,
    })),
    limits: limitsOfPair(pair),
    results: await lastResults(db, pair),
    awaited: (await awaitedDraws(db, pair, now)).map(toAwaitedDraw),
  };
}

/** Throws NOT_FOUND; the message says if the draw was cleared. */
async function readFairDraw(services: Services, drawId: string): Promise<RouteResult<typeof fairDraw>> {
  const { db } = services;
  const undone = await findUndoneDraw(db, drawId);
  const draw = undone ?? (await findDraw(db, drawId));
  if (!draw) throw new CallError('NOT_FOUND', { message: await drawNotFoundMessage(services, drawId) });
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
    outside: draw.outside,
    enteredBy: isPublic ? await enteredBy(db, draw) : [],
    corrections: undone ? [] : await readPublicCorrections(db, draw),
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

/** Roles, because usernames open accounts. Cleared history may omit them. */
async function enteredBy(on: Queryable, { outside, saved_by, confirmed_by }: DrawRow): Promise<FairDraw['enteredBy']> {
  if (outside === null || saved_by === null) return [];
  const rows = await on.query<{ role: 'superadmin' | 'admin' }>(
    sql`select a.role from unnest(${[saved_by, ...(confirmed_by === null ? [] : [confirmed_by])]}::uuid[]) with ordinality as p (id, nth)
      join accounts a on a.id = p.id order by p.nth`,
  );
  return confirmed_by === null ? ['api-key'] : rows.map(({ role }) => role);
}

/** Leaves out names and reasons. */
async function readPublicCorrections(
  on: Queryable,
  { network_id, id, outside }: DrawRow,
): Promise<FairDraw['corrections']> {
  if (outside === null) return [];
  const rows = await on.query<{ at: Date; before: string; after: string }>(
    sql`select at, before_label as before, after_label as after from corrections
      where network_id = ${network_id} and draw_id = ${id} order by nth`.named('draw-corrections'),
  );
  return rows.map(({ at, ...labels }) => ({ at: at.toISOString(), ...labels }));
}

type FairDraw = RouteResult<typeof fairDraw>;

function publishedBeacons({
  beacons,
  beacon_signatures,
  closes_at,
}: Pick<DrawRow, 'beacons' | 'beacon_signatures' | 'closes_at'>): FairDraw['beacons'] {
  return (beacons ?? []).map((beacon, place) => ({
    ...beacon,
    round: roundOfDraw(beacon, closes_at.getTime()),
    signature: beacon_signatures?.[place]?.toString('hex') ?? null,
  }));
}

/** Result of a void draw with beacons. Null until the whole seed is public. */
function wouldHaveBeen(draw: DrawRow): FairDraw['wouldHaveBeen'] {
  if (draw.draw_status !== 'void' || !draw.seed || !draw.beacons) return null;
  const seed = deriveDrawSeed(draw, draw.seed);
  if (!seed) return null;
  const { result, booster, label } = generateResult(draw, seed);
  return { result, resultLabel: label, booster };
}
