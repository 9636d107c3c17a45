import { NOBODY } from '@drawhouse/rules/ledger-kinds';
import { sql } from '../db/sql.ts';
import type { Tx } from '../db/database.ts';

/**
 * Gives an account another password, as it wishes. That somebody else gave it one before stays known: they may have been the one who now came
 * with it. False where its password is no longer the one that was checked: whoever replaced it meanwhile has kept out who came with the old one.
 */
export async function replacePassword(
  tx: Tx,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const current = await tx.query(
    sql`update accounts set password_hash = ${to} where id = ${id} and password_hash = ${from} returning id`,
  );
  return current.length > 0;
}

/** Whether the password of an account still has this hash. If so, nobody replaces it before the transaction ends. */
export async function holdPassword(tx: Tx, id: string, hash: string): Promise<boolean> {
  const current = await tx.query(sql`select 1 from accounts where id = ${id} and password_hash = ${hash} for share`);
  return current.length > 0;
}

/**
 * Notes that an account signs in, and locks it: of two sign-ins at once the second one sees the session of the first. False where its
 * password is no longer the one that was checked: whoever replaced it meanwhile has ended the sessions that the old one had opened.
 */
export async function noteSignIn(
  tx: Tx,
  { id, password_hash }: { readonly id: string; readonly password_hash: string },
  at: Date,
): Promise<boolean> {
  const current = await tx.query(
    sql`update accounts set last_login_at = greatest(last_login_at, ${at}) where id = ${id} and password_hash = ${password_hash} returning id`,
  );
  return current.length > 0;
}

/**
 * Gives an account another password that whoever has the shell of the server will know. Nobody knows who of the accounts that is: so {@link NOBODY} stands as the one who
 * set it, and for a while the account is nobody's second person.
 */
export async function resetPassword(tx: Tx, id: string, passwordHash: string, at: Date): Promise<void> {
  await tx.query(
    sql`update accounts set password_hash = ${passwordHash}, password_set_by = ${NOBODY}, password_set_at = ${at} where id = ${id}`,
  );
}
