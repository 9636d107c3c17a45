import { isBoosterWeights } from '@drawhouse/rules/fair/booster';
import { winMoments } from '@drawhouse/rules/games/moments';
import { Findings, readPages, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { auditedRules, type AuditedDrawRow, type AuditedGame } from '../audited-rows.ts';
import { sql } from '../../platform/db/sql/sql.ts';

type CountedDraw = AuditedGame & Pick<AuditedDrawRow, 'network_id' | 'id' | 'game_id' | 'weights'> & { day: Date };

type Sums = [draws: bigint, stake: bigint, win: bigint, expected: bigint, variance: bigint];
const COLUMNS = ['draws', 'play', 'win', 'expected', 'variance'];

const DRAWS_AT_ONCE = 100;

export async function auditReturns(db: Queryable): Promise<Check> {
  const found = new Findings();
  const left = new Set(
    (
      await db.query<{ network_id: number }>(
        sql`select network_id from return_sums union select network_id from cleared_draws`,
      )
    ).map((row) => row.network_id),
  );
  let rows = 0;
  let network: number | undefined;
  let sums = new Map<string, Sums>();
  const cleared = await readCleared(db);
  const finish = async (networkId: number): Promise<void> => {
    left.delete(networkId);
    for (const problem of await differences(db, networkId, sums, cleared.get(networkId) ?? new Map()))
      found.add(problem);
    sums = new Map();
  };
  const pages = readPages<CountedDraw>(
    db,
    sql`select d.network_id, d.id, d.game_id, terms.weights, terms.pays, g.game_key, g.family, g.digits,
            day_start(d.finished_at, (select value from pinned_settings where name = 'time-zone')) as day
     from (select * from draws where status = 'settled' and source = 'generated') as d
     join draw_terms terms on terms.id = d.terms_id join games g on g.id = d.game_id`,
  );
  for await (const page of pages) {
    rows += page.length;
    for (const [networkId, draws] of Map.groupBy(page, (draw) => draw.network_id)) {
      if (network !== undefined && network !== networkId) await finish(network);
      network = networkId;
      for (let start = 0; start < draws.length; start += DRAWS_AT_ONCE)
        await addDraws(db, networkId, draws.slice(start, start + DRAWS_AT_ONCE), sums);
    }
  }
  if (network !== undefined) await finish(network);
  for (const networkId of left) await finish(networkId);
  return {
    name: "every day's return matches its generated draws and their expectation",
    rows,
    problems: found.problems,
  };
}

const dayOf = (gameId: string, day: Date): string => `${gameId} ${day.toISOString()}`;

async function addDraws(
  db: Queryable,
  networkId: number,
  draws: readonly CountedDraw[],
  sums: Map<string, Sums>,
): Promise<void> {
  const ids = draws.map((draw) => draw.id);
  const settled = await db.query<{ draw_id: string; stake: bigint; win: bigint }>(
    sql`select draw_id, sum(stake)::bigint as stake, sum(win)::bigint as win from player_settlements
     where network_id = ${networkId} and draw_id = any(${ids}::uuid[]) group by draw_id`,
  );
  const bets = await db.query<{ draw_id: string; key: string; stake: bigint }>(
    sql`select draw_id, bet_key as key, stake from exposures where network_id = ${networkId} and draw_id = any(${ids}::uuid[])`,
  );
  const betsOf = Map.groupBy(bets, (bet) => bet.draw_id);
  const settledById = new Map(settled.map((row) => [row.draw_id, row]));
  for (const draw of draws) {
    const { stake, win } = settledById.get(draw.id) ?? {};
    // Another check reports invalid terms and weights.
    const rules = auditedRules(draw);
    if (stake === undefined || win === undefined || !rules || !isBoosterWeights(draw.weights, rules.maxBooster))
      continue;
    const stakes = new Map(betsOf.get(draw.id)?.map((bet) => [bet.key, bet.stake]));
    const { expected, variance } = winMoments(rules, stakes, draw.weights);
    const name = dayOf(draw.game_id, draw.day);
    const added: Sums = [1n, stake, win, expected, variance];
    const before = sums.get(name);
    sums.set(name, before ? (before.map((value, index) => value + added[index]!) as Sums) : added);
  }
}

interface StoredSums {
  game_id: string;
  starts_at: Date;
  draws: bigint;
  stake: bigint;
  win: bigint;
  expected_win: string;
  variance: string;
}

/** Keyed by game and day. Their expected return is unknown. */
type ClearedSums = ReadonlyMap<string, readonly [draws: bigint, stake: bigint, win: bigint]>;

async function readCleared(db: Queryable): Promise<ReadonlyMap<number, ClearedSums>> {
  const rows = await db.query<{
    network_id: number;
    game_id: string;
    day: Date;
    draws: bigint;
    stake: bigint;
    win: bigint;
  }>(
    sql`select network_id, game_id, day_start(finished_at, (select value from pinned_settings where name = 'time-zone')) as day,
            count(*) as draws, sum(stake)::bigint as stake, sum(win)::bigint as win
     from cleared_draws where status = 'settled' and source = 'generated' group by 1, 2, 3`,
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row.network_id)].map(([network, days]) => [
      network,
      new Map(days.map(({ game_id, day, draws, stake, win }) => [dayOf(game_id, day), [draws, stake, win] as const])),
    ]),
  );
}

async function differences(
  db: Queryable,
  networkId: number,
  right: ReadonlyMap<string, Sums>,
  cleared: ClearedSums,
): Promise<string[]> {
  const stored = await db.query<StoredSums>(
    sql`select game_id, starts_at, draws, stake, win, expected_win, variance from return_sums where network_id = ${networkId}`,
  );
  const actual = new Map(
    stored.map(({ game_id, starts_at, draws, stake, win, expected_win, variance }): [string, Sums] => [
      dayOf(game_id, starts_at),
      [draws, stake, win, BigInt(expected_win), BigInt(variance)],
    ]),
  );
  return [...new Set([...actual.keys(), ...right.keys(), ...cleared.keys()])].flatMap((name) => {
    const removed = cleared.get(name);
    const [shown, due] = removed
      ? [
          textOf(figuresOf(actual.get(name))),
          textOf(figuresOf(right.get(name)).map((sum, index) => sum + removed[index]!)),
        ]
      : [textOf(actual.get(name)), textOf(right.get(name))];
    if (shown === due) return [];
    const [gameId, day] = name.split(' ');
    return [
      `the returns of game ${gameId} in network ${networkId} from ${day} have ${shown}; its generated draws come to ${due}`,
    ];
  });
}

function figuresOf(sums: Sums | undefined): readonly bigint[] {
  return sums ? sums.slice(0, 3) : [0n, 0n, 0n];
}

function textOf(sums: readonly bigint[] | undefined): string {
  return sums ? sums.map((sum, index) => `${COLUMNS[index]} ${sum}`).join(', ') : 'nothing';
}
