import {
  isPause,
  LIMIT_NAMES,
  limitInForce,
  protectionOf,
  type LimitStep,
  type LimitValue,
  type Pause,
  type Protection,
  type ProtectionChange,
  type ProtectionLimitName,
  type ProtectionSide,
} from '@drawhouse/rules/records/limits-in-force';
import { arrayOf, sql } from '../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { markProtection } from '../ledger/wallets.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';

export interface PlayerKey {
  readonly networkId: number;
  readonly id: string;
}

export interface SumLimit {
  readonly name: Exclude<ProtectionLimitName, 'minutesPerDay'>;
  readonly limit: bigint;
}

/** The stricter of both sides per limit, plus pauses. */
export interface Standing {
  readonly sums: readonly SumLimit[];
  readonly minutesPerDay: bigint | null;
  readonly breakUntil: Date | null;
  readonly excludedUntil: Date | null;
}

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

/** Keyed by account; omits players without protection. Bets read this under wallet locks, which every change takes. */
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

export async function listExcluded(on: Queryable, networkId: number, at: Date): Promise<string[]> {
  const rows = await on.query<{ account_id: string }>(
    sql`select account_id from protections where network_id = ${networkId} and excluded_until > ${at} order by account_id`.named(
      'protection-excluded',
    ),
  );
  return rows.map((row) => row.account_id);
}

export async function networksOfExcluded(on: Queryable, at: Date): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    sql`select distinct network_id as id from protections where excluded_until > ${at}
      order by id ${sql.raw(crossNetworkComment('excluded'))}`.named('protection-networks'),
  );
  return rows.map((row) => row.id);
}

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

export async function readHistory(on: Queryable, { networkId, id }: PlayerKey): Promise<ChangeRow[]> {
  return on.query<ChangeRow>(
    sql`select ${sql.raw(CHANGE)} from protection_changes where network_id = ${networkId} and account_id = ${id} order by nth`.named(
      'protection-history',
    ),
  );
}

/** Newest first, with total count. Names are null for missing accounts. */
export async function listHistory(
  on: Queryable,
  { networkId, id }: PlayerKey,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: (ChangeRow & { by_name: string | null })[]; total: number }> {
  const rows = await on.query<ChangeRow & { by_name: string | null }>(
    sql`select ${sql.raw(CHANGE)}, coalesce((select username from accounts a where a.id = by_account),
       (select username from moved_activity m where m.network_id = ${networkId} and m.account_id = by_account limit 1)) as by_name
     from protection_changes where network_id = ${networkId} and account_id = ${id} order by nth desc
       limit ${limit} offset ${offset}`.named('protection-history-page'),
  );
  const [count] = await on.query<{ total: bigint }>(
    sql`select count(*) as total from protection_changes where network_id = ${networkId} and account_id = ${id}`.named(
      'protection-history-count',
    ),
  );
  return { rows, total: Number(count!.total) };
}

export function toChange({ at, holds_from, until, before, after, what, side, step }: ChangeRow): ProtectionChange {
  return what === 'break' || what === 'exclusion'
    ? { what, side, step: step === 'withdrawn' ? step : 'set', at, until: until! }
    : { what, side, step, at, from: holds_from, before, after };
}

export interface ChangeBy {
  readonly changeId: string;
  readonly byAccount: string;
  /** For breaks and exclusions. */
  readonly length: string | null;
  readonly reason: string;
}

/** Stores the resulting state too. Requires the wallet lock. */
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
    sql`insert into protection_changes (network_id, account_id, nth, id, by_account, length, reason, what, side, step, at,
      holds_from, until, before, after)
     values (${networkId}, ${id}, ${nth}, ${changeId}, ${byAccount}, ${length}, ${reason}, ${change.what}, ${change.side},
       ${change.step}, ${change.at}, ${limit?.from ?? change.at}, ${until}, ${limit?.before ?? null}, ${limit?.after ?? null})`.named(
      'protection-append',
    ),
  );
  await writeStanding(tx, { networkId, id }, nth, after);
}

/** The change count on the wallet invalidates caches. */
async function writeStanding(tx: Tx, { networkId, id }: PlayerKey, changes: number, after: Protection): Promise<void> {
  const limits = LIMIT_NAMES.map((name) => limitInForce(after.limits[name]));
  const columns = [...LIMIT_COLUMNS, 'break_until', 'excluded_until', 'changes'];
  await tx.query(
    sql`insert into protections (network_id, account_id, ${sql.raw(columns.join(', '))})
     values (${sql.join([networkId, id, ...limits, after.breakUntil, after.excludedUntil, changes])})
     on conflict (network_id, account_id) do update
     set ${sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(', '))}`.named('protection-write'),
  );
  await markProtection(tx, { networkId, accountId: id }, changes);
}

/** Changes since the backup, for players in both. Histories are append-only, so they cannot conflict. */
export async function keepProtection(
  tx: Tx,
  { staged, live }: { readonly staged: number; readonly live: number },
): Promise<void> {
  const added = await tx.query<{ account_id: string }>(
    sql`insert into protection_changes (network_id, account_id, nth, id, is_kept, ${sql.raw(CHANGE)})
     select ${staged}, account_id, nth, id, true, ${sql.raw(CHANGE)} from protection_changes l
     where network_id = ${live} and account_id in (select id from staged_accounts where network_id = ${staged})
     on conflict do nothing returning account_id`,
  );
  for (const id of new Set(added.map((row) => row.account_id))) {
    const key = { networkId: staged, id };
    const history = (await readHistory(tx, key)).map(toChange);
    await writeStanding(tx, key, history.length, protectionOf(history));
  }
}
