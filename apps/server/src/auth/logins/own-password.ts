import {
  lockAccountIfPasswordUnchanged,
  recordAccountSignIn,
  replaceAccountPassword,
  resetPassword,
  type RecordedSignIn,
} from '../../accounts/read/own-account.ts';
import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { temporaryUntil } from '../../accounts/change/insert-account.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Person } from './person.ts';

// Each acts on the account for login 0, otherwise on the login.

const isLogin = ({ id, networkId, login }: Person): Sql =>
  sql`network_id = ${networkId} and account_id = ${id} and number = ${login}`;

const CURRENT = sql`active and removed_at is null`;

export async function passwordHashOf(on: Queryable, person: Person): Promise<string | null> {
  const [row] = await on.query<{ password_hash: string }>(
    person.login === 0
      ? sql`select password_hash from accounts where id = ${person.id}`
      : sql`select password_hash from logins where ${isLogin(person)} and ${CURRENT}`,
  );
  return row?.password_hash ?? null;
}

/** Locks the hash until commit. */
export async function lockIfPasswordUnchanged(tx: Tx, person: Person, hash: string): Promise<boolean> {
  if (person.login === 0) return lockAccountIfPasswordUnchanged(tx, person.id, hash);
  const current = await tx.query(
    sql`select 1 from logins where ${isLogin(person)} and ${CURRENT} and password_hash = ${hash} for share`,
  );
  return current.length > 0;
}

export async function replaceOwnPassword(
  tx: Tx,
  person: Person,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  if (person.login === 0) return replaceAccountPassword(tx, person.id, { from, to });
  const current = await tx.query(
    sql`update logins set password_hash = ${to}, temporary_until = null
      where ${isLogin(person)} and ${CURRENT} and password_hash = ${from} returning number`,
  );
  return current.length > 0;
}

/** A server operator knows this password; see `resetPassword`. */
export async function resetOwnPassword(tx: Tx, person: Person, hash: string, at: Date): Promise<void> {
  if (person.login === 0) return resetPassword(tx, person, hash, at);
  await tx.query(
    sql`update logins set password_hash = ${hash}, password_set_by = ${NOBODY}, password_set_by_login = 0, password_set_at = ${at},
        temporary_until = ${temporaryUntil(at)} where ${isLogin(person)}`,
  );
}

/** Lets concurrent sign-ins see each other's sessions. Undefined if the checked hash is stale. */
export async function recordSignIn(
  tx: Tx,
  person: Person,
  hash: string,
  at: Date,
): Promise<RecordedSignIn | undefined> {
  if (person.login === 0) return recordAccountSignIn(tx, { id: person.id, password_hash: hash }, at);
  const [current] = await tx.query<RecordedSignIn>(
    sql`update logins set last_login_at = greatest(last_login_at, ${at})
      where ${isLogin(person)} and ${CURRENT} and password_hash = ${hash} returning temporary_until as "temporaryUntil"`,
  );
  return current;
}
