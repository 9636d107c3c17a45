import { isPause, LIMIT_NAMES, limitInForce, protectionOf } from '@drawhouse/rules/limits-in-force';
import type {
  LimitStep,
  LimitValue,
  Pause,
  Protection,
  ProtectionChange,
  ProtectionLimitName,
  ProtectionSide,
} from '@drawhouse/rules/limits-in-force';
import { arrayOf } from '../db/array-of.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { markProtection } from '../ledger/wallets.ts';
import { overNetworks } from '../over-networks.ts';
import { sql } from '../db/sql.ts';

/** A player, by its network and its id. */
export interface PlayerKey {
  readonly networkId: number;
  readonly id: string;
}

/** A limit on a sum of stakes or losses, in hundredths. */
export interface SumLimit {
  readonly name: Exclude<ProtectionLimitName, 'minutesPerDay'>;
  readonly limit: bigint;
}

/** What holds for a player when it bets: the lower one of both sides of each limit that is set, and its pauses. */
export interface Standing {
  readonly sums: readonly SumLimit[];
  readonly minutesPerDay: bigint | null;
  readonly breakUntil: Date | null;
  readonly excludedUntil: Date | null;
}

/** Where each limit is stored. */
const COLUMNS = {
  stakePerDraw: 'stake_per_draw',
  stakePerDay: 'stake_per_day',
  stakePerWeek: 'stake_per_week',
  stakePerMonth: 'stake_per_month',
  lossPerDay: 'loss_per_day',
  lossPerWeek: 'loss_per_week',
  lossPerMonth: 'loss_per_month',
  minutesPerDay: 'minutes_per_day',
} as const satisfies Record<ProtectionLimitName, string>;
const LIMIT_COLUMNS = LIMIT_NAMES.map((name) => COLUMNS[name]);

type StandingRow = Record<(typeof COLUMNS)[ProtectionLimitName], LimitValue> & {
  account_id: string;
  break_until: Date | null;
  excluded_until: Date | null;
};

/** What holds for these players, by account; whoever was never protected is left out. Bets read it under the lock of their wallets, which every change takes. */
export async function readStandings(
  on: Queryable,
  networkId: number,
  accountIds: readonly string[],
): Promise<Map<string, Standing>> {
  const rows = await on.query<StandingRow>(
    sql`select account_id, break_until, excluded_until, ${sql.raw(LIMIT_COLUMNS.join(', '))} from protections
     where network_id = ${networkId} and account_id = any(${arrayOf(accountIds)}::uuid[])`.named(
      'protection-standings',
    ),
  );
  return new Map(rows.map((row) => [row.account_id, standingOf(row)]));
}

function standingOf(row: StandingRow): Standing {
  const sums = LIMIT_NAMES.flatMap((name): SumLimit[] => {
    const limit = row[COLUMNS[name]];
    return name === 'minutesPerDay' || limit === null ? [] : [{ name, limit }];
  });
  return {
    sums,
    minutesPerDay: row.minutes_per_day,
    breakUntil: row.break_until,
    excludedUntil: row.excluded_until,
  };
}

/** The players of a network who are excluded at an instant. Whoever holds the wallets of a player sees its exclusion, which takes the same locks. */
export async function listExcluded(on: Queryable, networkId: number, at: Date): Promise<string[]> {
  const rows = await on.query<{ account_id: string }>(
    sql`select account_id from protections where network_id = ${networkId} and excluded_until > ${at} order by account_id`.named(
      'protection-excluded',
    ),
  );
  return rows.map((row) => row.account_id);
}

/** The networks that have players who are excluded at an instant, those that stand beside among them. */
export async function networksOfExcluded(on: Queryable, at: Date): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    sql`select distinct network_id as id from protections where excluded_until > ${at} order by id ${sql.raw(overNetworks('excluded'))}`.named(
      'protection-networks',
    ),
  );
  return rows.map((row) => row.id);
}

/** A row of the history as the database has it. */
export interface ChangeRow {
  at: Date;
  holds_from: Date;
  until: Date | null;
  before: bigint | null;
  after: bigint | null;
  by_account: string;
  what: ProtectionLimitName | Pause['what'];
  side: ProtectionSide;
  step: LimitStep;
  length: string | null;
  reason: string;
}

const CHANGE = 'at, holds_from, until, before, after, by_account, what, side, step, length, reason';

/** All that happened to a player's protection, in its order. */
export async function readHistory(on: Queryable, { networkId, id }: PlayerKey): Promise<ChangeRow[]> {
  return on.query<ChangeRow>(
    sql`select ${sql.raw(CHANGE)} from protection_changes where network_id = ${networkId} and account_id = ${id} order by nth`.named(
      'protection-history',
    ),
  );
}

/** A page of the same, newest first, with the names of those who did it (null of whoever is not there any more), and how many rows there are. */
export async function listHistory(
  on: Queryable,
  { networkId, id }: PlayerKey,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: (ChangeRow & { by_name: string | null })[]; total: number }> {
  const rows = await on.query<ChangeRow & { by_name: string | null }>(
    sql`select ${sql.raw(CHANGE)}, coalesce((select username from accounts a where a.id = by_account),
       (select username from moved_activity m where m.network_id = ${networkId} and m.account_id = by_account limit 1)) as by_name
     from protection_changes where network_id = ${networkId} and account_id = ${id} order by nth desc limit ${limit} offset ${offset}`.named(
      'protection-history-page',
    ),
  );
  const [count] = await on.query<{ total: bigint }>(
    sql`select count(*) as total from protection_changes where network_id = ${networkId} and account_id = ${id}`.named(
      'protection-history-count',
    ),
  );
  return { rows, total: Number(count!.total) };
}

/** A row of the history as the rules read it. */
export function toChange({ at, holds_from, until, before, after, what, side, step }: ChangeRow): ProtectionChange {
  return what === 'break' || what === 'exclusion'
    ? { what, side, step: step === 'withdrawn' ? step : 'set', at, until: until! }
    : { what, side, step, at, from: holds_from, before, after };
}

/** What is appended to the history beside the change itself. */
export interface ChangeBy {
  readonly changeId: string;
  readonly byAccount: string;
  /** Of a break or an exclusion. */
  readonly length: string | null;
  readonly reason: string;
}

/** Appends a change to the history of a player, whose wallet is locked, and writes down what follows from all of it. */
export async function appendChange(
  tx: Tx,
  { networkId, id }: PlayerKey,
  nth: number,
  change: ProtectionChange,
  { changeId, byAccount, length, reason }: ChangeBy,
  after: Protection,
): Promise<void> {
  const limit = isPause(change) ? null : change;
  const until = isPause(change) ? change.until : null;
  await tx.query(
    sql`insert into protection_changes (network_id, account_id, nth, id, by_account, length, reason, what, side, step, at, holds_from, until, before, after)
     values (${networkId}, ${id}, ${nth}, ${changeId}, ${byAccount}, ${length}, ${reason}, ${change.what}, ${change.side}, ${change.step}, ${change.at}, ${limit?.from ?? change.at}, ${until}, ${limit?.before ?? null}, ${limit?.after ?? null})`.named(
      'protection-append',
    ),
  );
  await writeStanding(tx, { networkId, id }, nth, after);
}

/** Writes down what holds for a player by so many changes, and at its wallet how many they are: whatever writes here tells so those that know the player. */
async function writeStanding(tx: Tx, { networkId, id }: PlayerKey, changes: number, after: Protection): Promise<void> {
  const values = LIMIT_NAMES.map((name) => limitInForce(after.limits[name]));
  const columns = [...LIMIT_COLUMNS, 'break_until', 'excluded_until', 'changes'];
  await tx.query(
    `insert into protections (network_id, account_id, ${columns.join(', ')}) values ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')})
     on conflict (network_id, account_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [networkId, id, ...values, after.breakUntil, after.excludedUntil, changes],
    'protection-write',
  );
  await markProtection(tx, { networkId, accountId: id }, changes);
}

/**
 * Lets limits, breaks and exclusions hold on that a network has, in what takes its place: what happened since the backup is added to the history there, of
 * players who are in both. Neither has anything that the other tells otherwise, as a history is only added to.
 */
export async function keepProtection(
  tx: Tx,
  { beside, live }: { readonly beside: number; readonly live: number },
): Promise<void> {
  const added = await tx.query<{ account_id: string }>(
    `insert into protection_changes (network_id, account_id, nth, id, is_kept, ${CHANGE})
     select $1, account_id, nth, id, true, ${CHANGE} from protection_changes l
     where network_id = $2 and account_id in (select id from staged_accounts where network_id = $1)
     on conflict do nothing returning account_id`,
    [beside, live],
  );
  for (const id of new Set(added.map((row) => row.account_id))) {
    const key = { networkId: beside, id };
    const history = (await readHistory(tx, key)).map(toChange);
    await writeStanding(tx, key, history.length, protectionOf(history));
  }
}
