import { imageAddress } from '@drawhouse/contract/games/game-catalogue';
import type { liveTables, LiveTable } from '@drawhouse/contract/live/live-tables';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { worstResult } from '@drawhouse/rules/games/worst-result';
import type { Viewer } from '../../platform/db/predicate.ts';
import type { Services } from '../../platform/services.ts';
import { readShownPairs } from '../../draws/schedule/pair-overview.ts';
import type { PairOverview } from '../../draws/schedule/pair-overview.ts';
import { toDrawResult, toDrawSummary } from '../../draws/draws.sql.ts';
import { nextToOpen } from '@drawhouse/rules/time/schedule';
import { rulesOf } from '../../games/games.sql.ts';
import { stakesOfDraws } from '../../tickets/tickets.sql.ts';
import { savedOf } from './saved-result.ts';

type StakeSums = Pick<LiveTable, 'collection' | 'worst'>;

const NO_STAKES: StakeSums = { collection: 0, worst: null };

type Running = Extract<PairOverview, { draw_id: string }>;

/** Tables that the viewer operates. */
export type ReadLiveTables = (viewer: Viewer) => Promise<RouteResult<typeof liveTables>>;

/** Caches stake sums per pair until the escrow changes. */
export function createLiveTables({ db, clock }: Pick<Services, 'db' | 'clock'>): ReadLiveTables {
  const kept = new Map<string, { drawId: string; version: bigint | null; sums: StakeSums }>();

  async function sumsOf(running: readonly Running[]): Promise<(pair: PairOverview) => StakeSums> {
    const sums = new Map<PairOverview, StakeSums>();
    const moved: Running[] = [];
    for (const pair of running) {
      const known = kept.get(keyOf(pair));
      if (known?.drawId === pair.draw_id && known.version === pair.escrow_version) sums.set(pair, known.sums);
      else moved.push(pair);
    }
    const stakes = await stakesOfDraws(
      db,
      moved.map((pair) => ({ network_id: pair.network_id, id: pair.draw_id })),
    );
    // Read after the version: later stakes raise the version and trigger a reread.
    for (const pair of moved) {
      const { draw_id: drawId, escrow_version: version } = pair;
      const read = stakeSums(pair, stakes.get(drawId));
      sums.set(pair, read);
      kept.set(keyOf(pair), { drawId, version, sums: read });
    }
    // A slower read of an older draw may have overwritten the cache.
    return (pair) => sums.get(pair) ?? NO_STAKES;
  }

  return async (viewer) => {
    const now = clock.now();
    const pairs = await readShownPairs(db, viewer, now);
    const sums = await sumsOf(pairs.filter((pair) => isShown(pair, now)));
    return { serverTime: now.toISOString(), data: pairs.map((pair) => toLiveTable(pair, now, sums)) };
  };
}

const keyOf = ({ network_id, game_id }: PairOverview): string => `${network_id} ${game_id}`;

/** Shown until its end, or until finished if late. */
function isShown(pair: PairOverview, now: Date): pair is Running {
  return pair.draw_id !== null && (pair.draws_at > now || !['settled', 'void'].includes(pair.draw_status));
}

function stakeSums(pair: Running, stakes: ReadonlyMap<string, bigint> | undefined): StakeSums {
  if (!stakes) return NO_STAKES;
  let collection = 0n;
  for (const stake of stakes.values()) collection += stake;
  return {
    collection: pointsOf(collection),
    worst: worstOf(rulesOf({ ...pair, pays: pair.draw_pays }), pair, stakes),
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

/** Once drawn, no worst case remains; void draws have returned their stakes. */
function sumsToCome({ draw_status: status }: Running, sums: StakeSums): StakeSums {
  if (status === 'open' || status === 'closed') return sums;
  return status === 'void' ? NO_STAKES : { ...sums, worst: null };
}

function toLiveTable(pair: PairOverview, now: Date, sums: (pair: PairOverview) => StakeSums): LiveTable {
  const shown = isShown(pair, now);
  const next = pair.running ? nextToOpen(now, pair.interval_seconds, pair.draws_at) : null;
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    digits: pair.digits,
    image: pair.image && imageAddress(pair.image.toString('hex')),
    adminId: pair.admin_id,
    username: pair.admin_username,
    testNetwork: pair.test_network,
    resultMode: shown ? pair.draw_mode : pair.result_mode,
    draw: shown ? toDrawSummary({ ...pair, id: pair.draw_id }) : null,
    nextOpensAt: next?.opensAt.toISOString() ?? null,
    ...(shown ? sumsToCome(pair, sums(pair)) : NO_STAKES),
    saved: shown ? shownSaved(pair) : null,
    last: lastOf(pair),
  };
}

function shownSaved(pair: Running): LiveTable['saved'] {
  const saved = savedOf({ ...pair, result_mode: pair.draw_mode, pays: null });
  return saved && { ...saved, by: pair.saved_by_name! };
}

function lastOf(pair: PairOverview): LiveTable['last'] {
  if (pair.last_id === null) return null;
  return toDrawResult({
    id: pair.last_id,
    number: pair.last_number,
    draws_at: pair.last_draws_at,
    result: pair.last_result,
    result_label: pair.last_result_label,
    booster: pair.last_booster,
    source: pair.last_source,
  });
}
