import { imageAddress } from '@drawhouse/contract/games/game-catalogue';
import type { liveTables, LiveTable } from '@drawhouse/contract/live/live-tables';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import type { GameRules } from '@drawhouse/rules/rules';
import { worstResult } from '@drawhouse/rules/worst';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { readShownPairs } from '../draws/shown-pairs.ts';
import type { ShownPair } from '../draws/shown-pairs.ts';
import { toDrawResult, toShortDraw } from '../draws/draws.sql.ts';
import { nextToOpen } from '@drawhouse/rules/schedule';
import { rulesOf } from '../games/games.sql.ts';
import { stakesOfDraws } from '../tickets/tickets.sql.ts';
import { savedOf } from './saved-result.ts';

/** What the stakes of a draw come to. */
type StakeSums = Pick<LiveTable, 'collection' | 'worst'>;

const NO_STAKES: StakeSums = { collection: 0, worst: null };

/** A pair whose draw is shown. */
type Running = Extract<ShownPair, { draw_id: string }>;

/** Tells an operator of all its live panels. */
export type ReadLiveTables = (actor: Actor) => Promise<RouteResult<typeof liveTables>>;

/**
 * Makes what reads all live panels of an operator. What the stakes of a draw come to is worked out anew only when its escrow has moved:
 * until then the last sums of each pair are kept.
 */
export function createLiveTables({ db, clock }: Pick<Services, 'db' | 'clock'>): ReadLiveTables {
  const kept = new Map<string, { drawId: string; version: bigint | null; sums: StakeSums }>();

  async function sumsOf(running: readonly Running[]): Promise<(table: ShownPair) => StakeSums> {
    const sums = new Map<ShownPair, StakeSums>();
    const moved: Running[] = [];
    for (const table of running) {
      const known = kept.get(keyOf(table));
      if (known?.drawId === table.draw_id && known.version === table.escrow_version) sums.set(table, known.sums);
      else moved.push(table);
    }
    const stakes = await stakesOfDraws(
      db,
      moved.map((table) => ({ network_id: table.network_id, id: table.draw_id })),
    );
    // The stakes are read after the version: what came in between is read again with the next one.
    for (const table of moved) {
      const { draw_id: drawId, escrow_version: version } = table;
      const read = stakeSums(table, stakes.get(drawId));
      sums.set(table, read);
      kept.set(keyOf(table), { drawId, version, sums: read });
    }
    // Not what is kept by now, which a slower reading of an older draw may have put there.
    return (table) => sums.get(table) ?? NO_STAKES;
  }

  return async (actor) => {
    const now = clock.now();
    const tables = await readShownPairs(db, actor, now);
    const sums = await sumsOf(tables.filter((table) => isShown(table, now)));
    return { serverTime: now.toISOString(), data: tables.map((table) => toTable(table, now, sums)) };
  };
}

const keyOf = ({ network_id, game_id }: ShownPair): string => `${network_id} ${game_id}`;

/** Whether the last draw of a pair still stands there: until its end, and beyond that until it is finished. */
function isShown(table: ShownPair, now: Date): table is Running {
  return table.draw_id !== null && (table.draws_at > now || !['settled', 'void'].includes(table.draw_status));
}

function stakeSums(table: Running, stakes: ReadonlyMap<string, bigint> | undefined): StakeSums {
  if (!stakes) return NO_STAKES;
  let collection = 0n;
  for (const stake of stakes.values()) collection += stake;
  return {
    collection: pointsOf(collection),
    worst: worstOf(rulesOf({ ...table, pays: table.draw_pays }), table, stakes),
  };
}

function worstOf(
  rules: GameRules,
  { weights }: Pick<Running, 'weights'>,
  stakes: ReadonlyMap<string, bigint>,
): LiveTable['worst'] {
  const worst = worstResult(rules, stakes);
  if (!worst) return null;
  const highest = weights.findLastIndex((weight) => weight > 0) + 1;
  const boosted = highest > 1 ? worstResult(rules, stakes, highest) : null;
  return {
    result: rules.resultLabel(worst.result),
    outcome: worst.result,
    pays: pointsOf(worst.pays),
    boosted: boosted && { booster: highest, pays: pointsOf(boosted.pays) },
  };
}

/** What a draw collects and may come to. Once it has its result nothing more can happen, and a void one has given its stakes back. */
function sumsToCome({ draw_status: status }: Running, sums: StakeSums): StakeSums {
  if (status === 'open' || status === 'closed') return sums;
  return status === 'void' ? NO_STAKES : { ...sums, worst: null };
}

function toTable(table: ShownPair, now: Date, sums: (table: ShownPair) => StakeSums): LiveTable {
  const shown = isShown(table, now);
  const next = table.running ? nextToOpen(now, table.interval_seconds, table.draws_at) : null;
  return {
    gameId: table.game_key,
    gameName: table.name,
    family: table.family,
    digits: table.digits,
    image: table.image && imageAddress(table.image.toString('hex')),
    adminId: table.admin_id,
    username: table.admin_username,
    resultMode: shown ? table.draw_mode : table.result_mode,
    draw: shown ? toShortDraw({ ...table, id: table.draw_id }) : null,
    nextOpensAt: next?.opensAt.toISOString() ?? null,
    ...(shown ? sumsToCome(table, sums(table)) : NO_STAKES),
    saved: shown ? shownSaved(table) : null,
    last: lastOf(table),
  };
}

/** What a table shows of the saved result while it may still stand, or did. */
function shownSaved(table: Running): LiveTable['saved'] {
  const saved = savedOf({ ...table, result_mode: table.draw_mode, pays: null });
  return saved && { ...saved, by: table.saved_by_name! };
}

function lastOf(table: ShownPair): LiveTable['last'] {
  if (table.last_id === null) return null;
  return toDrawResult({
    id: table.last_id,
    number: table.last_number,
    draws_at: table.last_draws_at,
    result: table.last_result,
    result_label: table.last_result_label,
    booster: table.last_booster,
    source: table.last_source,
  });
}
