import { imageAddress } from '@drawhouse/contract/games/game-catalogue';
import type { liveTables, LiveTable } from '@drawhouse/contract/live/live-tables';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { highestBooster } from '@drawhouse/rules/fair/booster';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { NumberStakes } from '@drawhouse/rules/games/shares';
import { paidBy } from '@drawhouse/rules/games/wins';
import { worstResult } from '@drawhouse/rules/games/worst-result';
import type { Viewer } from '../../platform/db/visibility-predicate.ts';
import type { Services } from '../../platform/services.ts';
import { readShownPairs, type PairOverview } from '../../draws/schedule/network-games.ts';
import { toAwaited, toDrawResult, toDrawSummary } from '../../draws/draws.sql.ts';
import { nextToOpen } from '@drawhouse/rules/time/schedule';
import { cadenceOf, rulesOf } from '../../games/games.sql.ts';
import { commissionOn } from '../../tickets/table/table-bound.ts';
import { needOfTable, sumOf } from '../../tickets/table/table-need.ts';
import { stakesOfDraws } from '../../tickets/tickets.sql.ts';
import { savedOf } from './panel.ts';

type ShownSums = Pick<LiveTable, 'collection' | 'worst' | 'fullest'>;

interface StakeSums {
  readonly shown: ShownSums;
  /** Most that the draw can cost the table. */
  readonly takes: bigint;
}

const NO_STAKES: StakeSums = { shown: { collection: 0, worst: null, fullest: 0 }, takes: 0n };

type Running = Extract<PairOverview, { draw_id: string }>;

export type ReadLiveTables = (viewer: Viewer) => Promise<RouteResult<typeof liveTables>>;

/** Caches stake sums per pair until stakes or the saved result change. */
export function createLiveTables({ db, clock }: Pick<Services, 'db' | 'clock'>): ReadLiveTables {
  const cache = new Map<string, { version: string; sums: StakeSums }>();

  async function sumsOf(running: readonly Running[]): Promise<(pair: PairOverview) => StakeSums> {
    const sums = new Map<PairOverview, StakeSums>();
    const moved: Running[] = [];
    for (const pair of running) {
      const cached = cache.get(keyOf(pair));
      if (cached?.version === versionOf(pair)) sums.set(pair, cached.sums);
      else moved.push(pair);
    }
    const stakes = await stakesOfDraws(
      db,
      moved.map((pair) => ({ network_id: pair.network_id, id: pair.draw_id })),
    );
    // Read after the version: later stakes raise the version and trigger a reread.
    for (const pair of moved) {
      const read = stakeSums(pair, stakes.get(pair.draw_id));
      sums.set(pair, read);
      cache.set(keyOf(pair), { version: versionOf(pair), sums: read });
    }
    // A slower read of an older draw may have overwritten the cache.
    return (pair) => sums.get(pair) ?? NO_STAKES;
  }

  return async (viewer) => {
    const now = clock.now();
    const pairs = await readShownPairs(db, viewer, now);
    const sums = await sumsOf(pairs.filter((pair) => isShown(pair, now)));
    const owed = new Map<PairOverview, bigint>();
    // One at a time: after an outage all tables may owe.
    for (const pair of pairs.filter(({ owes }) => owes))
      owed.set(pair, await needOfTable(db, pair, isShown(pair, now) && isToCome(pair) ? pair.draw_id : undefined));
    const takes = (pair: PairOverview): bigint =>
      (owed.get(pair) ?? 0n) + (isShown(pair, now) && isToCome(pair) ? sums(pair).takes : 0n);
    return { serverTime: now.toISOString(), data: pairs.map((pair) => toLiveTable(pair, now, { sums, takes })) };
  };
}

function isToCome({ draw_status: status }: PairOverview): boolean {
  return status === 'open' || status === 'closed';
}

const versionOf = ({ draw_id, escrow_version, saved_result, saved_booster, ceiling, cover }: Running): string =>
  JSON.stringify([draw_id, String(escrow_version), saved_result, saved_booster, ceiling, String(cover)]);

const keyOf = ({ network_id, game_id }: PairOverview): string => `${network_id} ${game_id}`;

/** Shown until its end, or until finished if late. Draws that wait for an outside result are listed separately. */
function isShown(pair: PairOverview, now: Date): pair is Running {
  if (pair.draw_id === null) return false;
  if (pair.draws_at > now) return true;
  const isAwaited = pair.outside !== null && pair.draw_status === 'closed';
  return !isAwaited && !['settled', 'void'].includes(pair.draw_status);
}

function stakeSums(pair: Running, stakes: ReadonlyMap<string, bigint> | undefined): StakeSums {
  if (!stakes) return NO_STAKES;
  const collection = sumOf(stakes);
  const rules = rulesOf({ ...pair, pays: pair.draw_pays });
  const highest = highestBooster(pair.weights);
  const worst = worstResult(rules, stakes);
  const boosted = highest > 1 ? worstResult(rules, stakes, highest) : null;
  const costs = commissionOn(collection, pair.ceiling) - collection;
  const generated = (pair.cover ?? 0n) + clampToZero((boosted ?? worst)?.pays ?? 0n, costs);
  const declared =
    pair.saved_result === null || pair.draw_mode === 'generated'
      ? 0n
      : clampToZero(
          paidBy(rules, (key) => stakes.get(key) ?? 0n, pair.saved_result, pair.saved_booster!),
          costs,
        );
  return {
    shown: {
      collection: pointsOf(collection),
      fullest: pointsOf(new NumberStakes(rules, stakes).fullest()),
      worst: worst && shownWorst(rules, worst, boosted && { booster: highest, pays: pointsOf(boosted.pays) }),
    },
    takes: generated > declared ? generated : declared,
  };
}

function clampToZero(pays: bigint, costs: bigint): bigint {
  return pays + costs > 0n ? pays + costs : 0n;
}

function shownWorst(
  rules: GameRules,
  worst: NonNullable<ReturnType<typeof worstResult>>,
  boosted: NonNullable<LiveTable['worst']>['boosted'],
): LiveTable['worst'] {
  return {
    result: rules.resultLabel(worst.result),
    outcome: worst.result,
    pays: pointsOf(worst.pays),
    boosted,
  };
}

/** Once drawn, no worst case remains; void draws have returned their stakes. */
function sumsToCome(pair: Running, { shown }: StakeSums): ShownSums {
  if (isToCome(pair)) return shown;
  return pair.draw_status === 'void' ? NO_STAKES.shown : { ...shown, worst: null };
}

interface Sums {
  readonly sums: (pair: PairOverview) => StakeSums;
  readonly takes: (pair: PairOverview) => bigint;
}

function toLiveTable(pair: PairOverview, now: Date, { sums, takes }: Sums): LiveTable {
  const shown = isShown(pair, now);
  const next = pair.running ? nextToOpen(now, cadenceOf(pair), pair.draws_at) : null;
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
    ...(shown ? sumsToCome(pair, sums(pair)) : NO_STAKES.shown),
    perNumber: pair.per_number === null ? null : pointsOf(pair.per_number),
    exposure: { takes: pointsOf(takes(pair)), balance: pointsOf(pair.balance), line: pointsOf(pair.line) },
    saved: shown ? shownSaved(pair) : null,
    last: lastOf(pair),
    awaited: toAwaited(pair.awaited),
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
    outside: pair.last_outside,
    corrected_at: pair.last_corrected_at,
  });
}
