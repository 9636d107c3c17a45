import { CallError } from '../../platform/http/http-errors.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Database, Queryable, Tx } from '../../platform/db/database.ts';
import type { HeldLock } from '../../platform/db/connection/hold-lock.ts';
import { ACTIVITY_TEXTS } from '../activity-texts.ts';

/** Advisory lock class; the key is the network number. */
const BOOKS = 3_407_520;
/** The longest work is one piece of a large settlement. */
const WAIT_MS = 120_000;

/** Keeps open books open until the transaction ends. */
export async function shareBooksLock(tx: Tx, networkId: number): Promise<boolean> {
  const [row] = await tx.query<{ open: boolean }>(sql`select enter_books(${networkId}) as open`.named('books-enter'));
  return row!.open;
}

export async function requireOpenBooks(tx: Tx, networkId: number): Promise<void> {
  if (!(await shareBooksLock(tx, networkId))) throw new CallError('NETWORK_RESTORING');
}

/** Unlocked read; may be stale. */
export async function areBooksClosed(on: Queryable, networkId: number): Promise<boolean> {
  const closed = await on.query(
    sql`select from network_work where closed_network = ${networkId}`.named('books-are-closed'),
  );
  return closed.length > 0;
}

export const hasOpenBooks = (column: string): Sql =>
  sql`(${sql.raw(column)} not in (select closed_network from network_work where closed_network is not null)
    and ${sql.raw(column)} not in (select network_id from fences ${sql.raw(crossNetworkComment('cells'))}))`;

/** Null if never closed. */
export const reopenedAt = (networkId: Sql): Sql =>
  sql`(select w.reopened_at from networks n join network_work w on w.admin_id = n.admin_id where n.id = ${networkId})`;

export interface ClosedBooks {
  readonly adminId: string;
  readonly networkId: number;
}

/** Waits for running work and blocks new work until `lock` is released. */
export async function closeBooks(on: Queryable, lock: HeldLock, { adminId, networkId }: ClosedBooks): Promise<void> {
  await lock.takeAlso(BOOKS, networkId, WAIT_MS);
  await on.query(sql`update network_work set closed_network = ${networkId} where admin_id = ${adminId}`);
}

/** Waits for running work and blocks new work until the transaction ends. */
export async function lockBooks(tx: Tx, networkId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${BOOKS}::int, ${networkId})`);
}

/** Throws if the lock's connection broke: credit may have moved since. */
export async function requireStillClosed(tx: Tx, { pid }: HeldLock, networkId: number): Promise<void> {
  const held = await tx.query(
    sql`select from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock' and pid = ${pid} and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())
         and (classid, objid) = (${BOOKS}::int::oid, ${networkId}::int::oid)`,
  );
  if (held.length === 0) throw new CallError('NOT_READY', { message: ACTIVITY_TEXTS.connectionBroke });
}

export async function reopenAbandoned(db: Database, now: Date): Promise<void> {
  const closed = await db.query<ClosedBooks>(
    sql`select admin_id as "adminId", closed_network as "networkId" from network_work where closed_network is not null`.named(
      'books-closed',
    ),
  );
  for (const { adminId, networkId } of closed)
    await db.transaction(async (tx) => {
      if (!(await shareBooksLock(tx, networkId))) return;
      await tx.query(
        sql`update network_work set closed_network = null, reopened_at = ${now}
          where admin_id = ${adminId} and closed_network = ${networkId}`,
      );
    });
}
