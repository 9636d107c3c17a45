import {
  limitInForce,
  protectionAfter,
  UNPROTECTED,
  type Protection,
  type ProtectionChange,
  type ProtectionLimitName,
} from '@drawhouse/rules/records/limits-in-force';
import { Findings, type Check } from '../audit-check.ts';
import { WALLETS, TRANSFERS } from '../audited-kinds.ts';
import { readHistories, readTimeZone, type ProtectedPlayer } from './audit-protection.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** In milliseconds, end exclusive. */
interface Held {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly protection: Protection;
}

/** Includes the player's unrefunded stakes per period up to this ticket. */
interface PlacedRow {
  id: string;
  placed_at: Date;
  stake: bigint;
  is_void: boolean;
  settled_at: Date | null;
  on_draw: bigint;
  in_day: bigint;
  in_week: bigint;
  in_month: bigint;
  day: Date;
  week: Date;
  month: Date;
}

interface WonRow {
  settled_at: Date;
  win: bigint;
}

const SLACK_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A month's limit period, plus the longest wait of a ticket bought ahead. */
const LOOK_BACK_MS = 95 * DAY_MS;

const STAKED = {
  stakePerDraw: 'on_draw',
  stakePerDay: 'in_day',
  stakePerWeek: 'in_week',
  stakePerMonth: 'in_month',
} as const satisfies Partial<Record<ProtectionLimitName, keyof PlacedRow>>;
const LOST = { lossPerDay: 'day', lossPerWeek: 'week', lossPerMonth: 'month' } as const satisfies Partial<
  Record<ProtectionLimitName, keyof PlacedRow>
>;

const LOSSES = Object.keys(LOST) as (keyof typeof LOST)[];

/** Skips cleared tickets. */
export async function auditProtectedBets(db: Queryable): Promise<Check> {
  const timeZone = await readTimeZone(db);
  const found = new Findings();
  let rows = 0;
  for await (const player of readHistories(db)) {
    const since = new Date(player.history[0]!.at.getTime() - LOOK_BACK_MS);
    const placed = await readPlaced(db, player, since, timeZone);
    rows += placed.length;
    const standings = heldBy(player.history);
    found.addAll(againstPausesAndStakes(player, standings, placed));
    if (standings.some(({ protection }) => LOSSES.some((name) => limitOf(protection, name) !== null)))
      found.addAll(againstLosses(player, standings, placed, await readWon(db, player, since)));
  }
  return { name: "no bet breaks its player's limits, breaks or exclusions", rows, problems: found.problems };
}

function heldBy(history: readonly ProtectionChange[]): Held[] {
  let protection = UNPROTECTED;
  return history.map((change, index) => {
    protection = protectionAfter(protection, change);
    return {
      fromMs: change.at.getTime() + SLACK_MS,
      untilMs: (history[index + 1]?.at.getTime() ?? Infinity) - SLACK_MS,
      protection,
    };
  });
}

/** Undefined before the first change and near any change. */
function heldAt(standings: readonly Held[], { placed_at }: PlacedRow): Protection | undefined {
  const atMs = placed_at.getTime();
  return standings.findLast(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs)?.protection;
}

function limitOf({ limits }: Protection, name: ProtectionLimitName): bigint | null {
  return limitInForce(limits[name]);
}

const nameOf = (player: ProtectedPlayer, { id }: PlacedRow): string =>
  `ticket ${id} of player ${player.id} of network ${player.networkId}`;

function againstPausesAndStakes(
  player: ProtectedPlayer,
  standings: readonly Held[],
  placed: readonly PlacedRow[],
): string[] {
  return placed.flatMap((ticket) => {
    const protection = heldAt(standings, ticket);
    if (!protection) return [];
    const problems: string[] = [];
    for (const until of [protection.breakUntil, protection.excludedUntil])
      if (until !== null && ticket.placed_at.getTime() < until.getTime() - SLACK_MS)
        problems.push(`${nameOf(player, ticket)} was placed during a break until ${until.toISOString()}`);
    if (ticket.is_void) return problems;
    for (const [name, column] of Object.entries(STAKED)) {
      const limit = limitOf(protection, name as keyof typeof STAKED);
      if (limit !== null && ticket[column] > limit)
        problems.push(
          `${nameOf(player, ticket)} brings ${name} to ${ticket[column]} hundredths, above the limit of ${limit}`,
        );
    }
    return problems;
  });
}

/** Counts stakes on draws settled in the period or still open, minus wins from the earliest possible moment. */
function againstLosses(
  player: ProtectedPlayer,
  standings: readonly Held[],
  placed: readonly PlacedRow[],
  won: readonly WonRow[],
): string[] {
  const problems: string[] = [];
  for (const [name, period] of Object.entries(LOST)) {
    let counting: PlacedRow[] = [];
    let staked = 0n;
    let wins = 0n;
    let next = 0;
    let sinceMs = -Infinity;
    for (const ticket of placed) {
      if (ticket.is_void) continue;
      const beganMs = ticket[period].getTime();
      if (beganMs > sinceMs) {
        sinceMs = beganMs;
        counting = counting.filter(({ settled_at }) => settled_at === null || settled_at.getTime() >= beganMs);
        staked = counting.reduce((sum, { stake }) => sum + stake, 0n);
        wins = 0n;
        // With clock differences, a win may have counted in the previous period.
        const first = won.findIndex(({ settled_at }) => settled_at.getTime() >= beganMs);
        next = first < 0 ? won.length : first;
      }
      counting.push(ticket);
      staked += ticket.stake;
      for (; next < won.length && won[next]!.settled_at.getTime() <= ticket.placed_at.getTime() + SLACK_MS; next++)
        wins += won[next]!.win;
      const protection = heldAt(standings, ticket);
      const limit = protection ? limitOf(protection, name as keyof typeof LOST) : null;
      if (limit !== null && staked - wins > limit)
        problems.push(
          `${nameOf(player, ticket)} brings ${name} to ${staked - wins} hundredths, above the limit of ${limit}`,
        );
    }
  }
  return problems;
}

/** Orders by payment time. Skips tickets with cleared payments. */
function readPlaced(
  db: Queryable,
  { networkId, id }: ProtectedPlayer,
  since: Date,
  timeZone: string,
): Promise<PlacedRow[]> {
  const staked = (within: string): string =>
    `coalesce(sum(stake) filter (where not is_void) over (partition by ${within} order by id), 0)::bigint`;
  return db.query<PlacedRow>(
    sql`select id, placed_at, stake, is_void, settled_at, day, week, month,
            ${sql.raw(staked('draw_id'))} as on_draw, ${sql.raw(staked('day'))} as in_day,
              ${sql.raw(staked('week'))} as in_week, ${sql.raw(staked('month'))} as in_month
     from (select t.id, t.placed_at, t.stake, t.draw_id, d.status = 'void' as is_void, s.settled_at,
                  day_start(t.placed_at, ${timeZone}) as day,
                    day_start(date_trunc('month', t.placed_at at time zone ${timeZone})::date, ${timeZone}) as month,
                  day_start((t.placed_at at time zone ${timeZone})::date - extract(dow
                    from t.placed_at at time zone ${timeZone})::int, ${timeZone}) as week
           from wallets w join transfers m on m.network_id = ${networkId} and m.from_wallet = w.id
             and m.kind = ${TRANSFERS.stake} and m.at >= ${since}
           join tickets t on t.network_id = ${networkId} and t.id = m.reference and t.account_id = ${id} and t.placed_at >= ${since}
           join draws d on d.network_id = t.network_id and d.id = t.draw_id
           left join draw_settlements s on s.network_id = t.network_id and s.draw_id = t.draw_id
           where w.network_id = ${networkId} and w.owner_id = ${id} and w.kind = ${WALLETS.credit}) as placed order by id`,
  );
}

function readWon(db: Queryable, { networkId, id }: ProtectedPlayer, since: Date): Promise<WonRow[]> {
  return db.query<WonRow>(
    sql`select s.settled_at, p.win from draw_settlements s
      join player_settlements p on p.network_id = s.network_id and p.draw_id = s.draw_id
     where s.network_id = ${networkId} and p.account_id = ${id} and s.settled_at >= ${since} and p.win > 0
     -- What corrections take back counts late, as wins count early.
     union all select c.at + case when c.moved < 0 then interval '${sql.lit(2 * SLACK_MS)} ms' else interval '0' end, c.moved
      from ticket_corrections c where c.network_id = ${networkId} and c.account_id = ${id} and c.at >= ${since} and c.moved <> 0
     order by settled_at`,
  );
}
