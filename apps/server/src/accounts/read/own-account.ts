import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Tx, Queryable } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { temporaryUntil } from '../change/insert-account.ts';
import type { TargetName } from '../change/lock-target.ts';

export interface RecordedSignIn {
  /** Only for a password that somebody else set. */
  readonly temporaryUntil: Date | null;
}

/** Returns false if the checked hash is stale. Keeps who set the old password: the caller may be that person. */
export async function replaceAccountPassword(
  tx: Tx,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const current = await tx.query(
    sql`update accounts set password_hash = ${to}, temporary_until = null where id = ${id} and password_hash = ${from} returning id`,
  );
  return current.length > 0;
}

export async function lockAccountIfPasswordUnchanged(tx: Tx, id: string, hash: string): Promise<boolean> {
  const current = await tx.query(sql`select 1 from accounts where id = ${id} and password_hash = ${hash} for share`);
  return current.length > 0;
}

/** Lets concurrent sign-ins see each other's sessions. Undefined if the checked password is stale. */
export async function recordAccountSignIn(
  tx: Tx,
  { id, password_hash }: { readonly id: string; readonly password_hash: string },
  at: Date,
): Promise<RecordedSignIn | undefined> {
  const [current] = await tx.query<RecordedSignIn>(
    sql`update accounts set last_login_at = greatest(last_login_at, ${at}) where id = ${id} and password_hash = ${password_hash}
      returning temporary_until as "temporaryUntil"`,
  );
  return current;
}

/**
 * The password is temporary for staff. Without `setBy`, a server operator knows it; {@link NOBODY} then keeps the
 * account from acting as second person.
 */
export async function resetPassword(
  tx: Tx,
  { id, setBy = NOBODY }: { readonly id: string; readonly setBy?: string },
  passwordHash: string,
  at: Date,
): Promise<void> {
  await tx.query(
    sql`update accounts set password_hash = ${passwordHash}, password_set_by = ${setBy}, password_set_at = ${at},
        temporary_until = case when role <> 'user' then ${temporaryUntil(at)}::timestamptz end
      where id = ${id}`,
  );
}

export interface PasswordContext {
  readonly username: string;
  readonly oldHash?: string;
}

export async function passwordOwner(on: Queryable, actorId: string, name: TargetName): Promise<PasswordContext> {
  const [owner] = await on.query<{ username: string; password_hash: string }>(
    sql`select a.username, a.password_hash from accounts a
     where a.id = ${name.id} and a.role = ${name.role} and a.id <> ${actorId}
       and (${name.parentId ?? null}::uuid is null or a.parent_id = ${name.parentId ?? null}) and ${inSubtree('a', { id: actorId })}`,
  );
  if (!owner) throw new CallError('NOT_FOUND');
  return { username: owner.username, oldHash: owner.password_hash };
}
