import type { Hundredths } from '@drawhouse/contract/core/primitives';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

/** Part of a message that both cells store. */
export interface CreditMessage {
  /** Reference of its transfers. */
  readonly id: string;
  readonly adminId: string;
  readonly number: number;
  readonly kind: 'give' | 'takeBack';
  readonly amount: Hundredths;
  readonly note: string;
}

/** The receiver's answer. */
export interface Outcome {
  /** Error code; null if applied. */
  readonly refusal: string | null;
  /** The admin's, afterwards. */
  readonly balance: Hundredths;
}

export type ReceivedCredit = CreditMessage & Outcome & { readonly at: Date; readonly cell: string };

export interface SentCredit extends CreditMessage {
  readonly at: Date;
  readonly username: string;
  readonly cell: string;
  readonly transferId: string | null;
  readonly settledAt: Date | null;
  readonly refusal: string | null;
  readonly balance: Hundredths | null;
  /** Answer to the last delivery, if that could not be applied. */
  readonly failure: string | null;
}

type Stored<T> = Omit<T, 'kind'> & { readonly kind: number };

const withKind = <T extends CreditMessage>(row: Stored<T>): T =>
  ({ ...row, kind: row.kind === TRANSFER_KINDS.give ? 'give' : 'takeBack' }) as unknown as T;

const MESSAGE = sql`id, admin_id as "adminId", number, kind, amount, note, at, refusal, balance, cell`;

/** Sorted by number. */
export async function findSent(on: Queryable, where: Sql): Promise<SentCredit[]> {
  const rows = await on.query<Stored<SentCredit>>(
    sql`select ${MESSAGE}, username, transfer_id as "transferId", settled_at as "settledAt", failure from sent_credit
      where ${where} order by admin_id, number`,
  );
  return rows.map(withKind);
}

/** Sorted by number. */
export async function findReceived(on: Queryable, where: Sql): Promise<ReceivedCredit[]> {
  const rows = await on.query<Stored<ReceivedCredit>>(
    sql`select ${MESSAGE} from received_credit where ${where} order by admin_id, number`,
  );
  return rows.map(withKind);
}

/** Last message of a network, with a hash of all outcomes up to it. */
export interface LastMessage {
  readonly adminId: string;
  readonly id: string;
  readonly number: number;
  readonly outcomes: string;
}

const LAST = sql`admin_id as "adminId", (array_agg(id order by number desc))[1] as id, max(number) as number,
  md5(string_agg(id::text || (refusal is null)::text, ',' order by number)) as outcomes`;

/** Of networks whose last message is settled. */
export function findLastSent(on: Queryable): Promise<(LastMessage & Record<string, unknown>)[]> {
  return on.query(
    sql`select ${LAST} from sent_credit s where settled_at is not null group by admin_id
      having max(number) = (select max(number) from sent_credit where admin_id = s.admin_id)`,
  );
}

/** Of networks in this cell. */
export function findLastReceived(on: Queryable, from: string): Promise<(LastMessage & Record<string, unknown>)[]> {
  return on.query(
    sql`select ${LAST} from received_credit where cell = ${from} and admin_id in (
      select admin_id from networks where not arrives) group by admin_id`,
  );
}

export async function sumInTransit(on: Queryable): Promise<Hundredths> {
  const [row] = await on.query<{ sum: bigint }>(
    sql`select coalesce(sum(amount), 0)::bigint as sum from sent_credit
      where settled_at is null and kind = ${sql.lit(TRANSFER_KINDS.give)}`.named('credit-in-transit'),
  );
  return row!.sum;
}

export interface WaitingCredit {
  readonly cell: string;
  readonly since: Date;
  readonly amount: Hundredths;
  readonly failure: string | null;
}

/** Usually another cell answers at once. */
const PATIENCE_MS = 5 * 60_000;

/** Not answered for five minutes, or to be repeated in vain to a restored cell. */
export const isWaiting = (now: Date): Sql =>
  sql`(settled_at is null or failure is not null) and at < ${new Date(now.getTime() - PATIENCE_MS)}`;

export function sumWaiting(on: Queryable, now: Date): Promise<WaitingCredit[]> {
  return on.query<WaitingCredit & Record<string, unknown>>(
    sql`select cell, min(at) as since, sum(amount)::bigint as amount, min(failure) as failure from sent_credit
      where ${isWaiting(now)} group by cell order by cell`,
  );
}

/**
 * A network brings its messages, so its new cell goes on with their numbers. Those of an earlier stay go: after an undone
 * move and a restore of the sender, other messages may have taken their numbers.
 */
export async function copyReceived(from: Queryable, to: Queryable, adminId: string): Promise<void> {
  const rows = await findReceived(from, sql`admin_id = ${adminId}`);
  const column = <T>(of: (row: (typeof rows)[number]) => T): T[] => rows.map(of);
  await to.query(sql`delete from received_credit where admin_id = ${adminId}`);
  await to.query(
    sql`insert into received_credit (id, admin_id, at, number, amount, balance, kind, cell, note, refusal)
      select u.id, ${adminId}, u.at, u.number, u.amount, u.balance, u.kind, u.cell, u.note, u.refusal
      from unnest(${column(({ id }) => id)}::uuid[], ${column(({ at }) => at)}::timestamptz[],
        ${column(({ number }) => number)}::int[], ${column(({ amount }) => amount)}::bigint[],
        ${column(({ balance }) => balance)}::bigint[], ${column(({ kind }) => TRANSFER_KINDS[kind])}::smallint[],
        ${column(({ cell }) => cell)}::text[], ${column(({ note }) => note)}::text[],
        ${column(({ refusal }) => refusal)}::text[]) as u (id, at, number, amount, balance, kind, cell, note, refusal)`,
  );
}
