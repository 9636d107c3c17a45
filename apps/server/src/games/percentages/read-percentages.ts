import { percentOf } from '@drawhouse/contract/core/primitives';
import type { ActualReturn, Percentage } from '@drawhouse/contract/games/percentages';
import { boosterMean } from '@drawhouse/rules/fair/booster';
import { returnBand } from '@drawhouse/rules/games/moments';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { rulesOf, type GameRow, type PairRow } from '../games.sql.ts';
import { oddsFor, type Odds } from '../pairs/game-pays.ts';
import { pairId } from '../pairs/pairs.ts';
import { singleNetwork, networkOrColumnSql } from '../../platform/db/cross-network-sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const DAYS_BACK: readonly number[] = [7, 30];

export function oddsOf(pair: GameRow & Pick<PairRow, 'win_percentage'>): Odds {
  return oddsFor(rulesOf(pair), pair.win_percentage === null ? null : percentOf(pair.win_percentage));
}

export async function readPercentages(
  services: Services,
  on: Queryable,
  pairs: readonly PairRow[],
): Promise<Percentage[]> {
  const returns = await readReturns(services, on, pairs);
  return pairs.map((pair, index) => {
    const odds = oddsOf(pair);
    const mean = boosterMean(odds.weights);
    return {
      id: pairId(pair),
      adminId: pair.admin_id,
      username: pair.admin_username,
      gameId: pair.game_key,
      gameName: pair.name,
      winpercentage: pair.win_percentage === null ? null : percentOf(pair.win_percentage),
      baseReturn: odds.baseReturn,
      weights: [...odds.weights],
      boosterMean: mean,
      willReturn: odds.baseReturn * mean,
      actual: DAYS_BACK.map((days) => returns.get(`${index + 1} ${days}`) ?? NO_DRAWS(days)),
    };
  });
}

const NO_DRAWS = (days: number): ActualReturn => ({ days, return: null, low: null, high: null, draws: 0 });

interface SummedRow {
  nth: bigint;
  days: number;
  draws: bigint;
  stake: bigint;
  win: bigint;
  /** Numeric, delivered as text. */
  expected_win: string;
  variance: string;
}

async function readReturns(
  { clock, timeZone }: Services,
  on: Queryable,
  pairs: readonly PairRow[],
): Promise<Map<string, ActualReturn>> {
  const one = singleNetwork([...new Set(pairs.map((pair) => pair.network_id))]);
  const network = networkOrColumnSql(one, 'pair.network_id');
  const now = clock.now();
  const rows = await on.query<SummedRow>(
    sql`select pair.nth, span.days, sum(r.draws)::bigint as draws, sum(r.stake)::bigint as stake, sum(r.win)::bigint as win,
            sum(r.expected_win) as expected_win, sum(r.variance) as variance
     from unnest(${pairs.map((pair) => pair.network_id)}::int[],
       ${pairs.map((pair) => pair.game_id)}::uuid[]) with ordinality as pair (network_id, game_id, nth)
     join return_sums r on r.network_id = ${network} and r.game_id = pair.game_id
     join unnest(${DAYS_BACK}::int[]) as span (days)
       on r.starts_at >= day_start((${now}::timestamptz at time zone ${timeZone})::date - (span.days - 1), ${timeZone})
     where r.starts_at >= ${now}::timestamptz - (select max(days) + 1 from unnest(${DAYS_BACK}::int[]) as days) * interval '1 day'
     group by pair.nth, span.days`.named(one === undefined ? 'returns-of-pairs' : 'returns-of-pairs-in-one'),
  );
  return new Map(rows.map((row) => [`${row.nth} ${row.days}`, toActual(row)]));
}

function toActual({ days, draws, stake, win, expected_win, variance }: SummedRow): ActualReturn {
  const { actual, low, high } = returnBand({ stake, win, expected: BigInt(expected_win), variance: BigInt(variance) })!;
  return { days, return: actual, low, high, draws: Number(draws) };
}
