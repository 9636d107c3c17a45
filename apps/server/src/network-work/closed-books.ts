import { CallError } from '../http/http-errors.ts';
import { sql } from '../db/sql.ts';
import type { Database, Queryable, Tx } from '../db/database.ts';
import type { HeldLock } from '../db/hold-lock.ts';

// The books of a network are closed while it is restored (0011-restores-and-moves.sql).

/** The lock of the books: this number and that of the network. */
const BOOKS = 3_407_520;
/** A restore waits this long for what is under way; the longest is a piece of a large settlement. */
const WAIT_MS = 120_000;

/** Whether the books of a network are open. If they are, they stay open until the transaction ends. */
export async function enterBooks(tx: Tx, networkId: number): Promise<boolean> {
  const [row] = await tx.query<{ open: boolean }>(sql`select enter_books(${networkId}) as open`.named('books-enter'));
  return row!.open;
}

/** Throws NETWORK_RESTORING if the books of a network are closed, else keeps them open until the transaction ends. */
export async function requireOpenBooks(tx: Tx, networkId: number): Promise<void> {
  if (!(await enterBooks(tx, networkId))) throw new CallError('NETWORK_RESTORING');
}

/** Whether the books of a network are closed, as far as is known without a lock. */
export async function areBooksClosed(on: Queryable, networkId: number): Promise<boolean> {
  const closed = await on.query(
    sql`select from network_work where closed_network = ${networkId}`.named('books-are-closed'),
  );
  return closed.length > 0;
}

/** SQL for the network of a row having open books, as far as is known without a lock. */
export const hasOpenBooks = (networkId: string): string =>
  `${networkId} not in (select closed_network from network_work where closed_network is not null)`;

/** SQL for when the books of the network of a row were opened again last; null if they were never closed. */
export const reopenedAt = (networkId: string): string =>
  `(select w.reopened_at from networks n join network_work w on w.admin_id = n.admin_id where n.id = ${networkId})`;

/** Whose books are closed: a network by its number, and by its admin. */
export interface ClosedBooks {
  readonly adminId: string;
  readonly networkId: number;
}

/** Closes the books of a network on the connection of a lock: waits for what is under way, and lets nothing else begin until that lock is released. */
export async function closeBooks(on: Queryable, lock: HeldLock, { adminId, networkId }: ClosedBooks): Promise<void> {
  await lock.takeAlso(BOOKS, networkId, WAIT_MS);
  await on.query(sql`update network_work set closed_network = ${networkId} where admin_id = ${adminId}`);
}

/** Throws if a lock has not kept the books of a network closed until now: its connection broke, and credit may have moved since. */
export async function requireStillClosed(tx: Tx, { pid }: HeldLock, networkId: number): Promise<void> {
  const held = await tx.query(
    sql`select from pg_locks where locktype = 'advisory' and granted and mode = 'ExclusiveLock' and pid = ${pid} and objsubid = 2
       and database = (select oid from pg_database where datname = current_database()) and (classid, objid) = (${BOOKS}::int::oid, ${networkId}::int::oid)`,
  );
  if (held.length === 0)
    throw new CallError('NOT_READY', { message: 'The connection to the database broke. Please begin again.' });
}

/** Notes that books are open again whose restore ended without saying so: its server was killed. */
export async function reopenAbandoned(db: Database, now: Date): Promise<void> {
  const closed = await db.query<ClosedBooks>(
    sql`select admin_id as "adminId", closed_network as "networkId" from network_work where closed_network is not null`.named(
      'books-closed',
    ),
  );
  for (const { adminId, networkId } of closed)
    await db.transaction(async (tx) => {
      if (!(await enterBooks(tx, networkId))) return;
      await tx.query(
        sql`update network_work set closed_network = null, reopened_at = ${now} where admin_id = ${adminId} and closed_network = ${networkId}`,
      );
    });
}
