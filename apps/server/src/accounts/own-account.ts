import type { Tx } from '../db/database.ts';

/**
 * Gives an account another password, as it wishes. That somebody else gave it one before stays known: they may have been the one who now came
 * with it. False where its network was put back to a backup meanwhile, which has ended its sessions.
 */
export async function replacePassword(
  tx: Tx,
  { id, networkId }: { readonly id: string; readonly networkId: number },
  passwordHash: string,
): Promise<boolean> {
  const replaced = await tx.query(
    'update accounts set password_hash = $3 where id = $1 and network_id = $2 returning id',
    [id, networkId, passwordHash],
  );
  return replaced.length > 0;
}

/**
 * Notes that an account signs in, and locks it: of two sign-ins at once the second one sees the session of the first. Gives its network and its
 * name, which a restore may have changed while the password was checked. Undefined where its password is no longer the one that was checked: whoever
 * replaced it meanwhile has ended the sessions that the old one had opened.
 */
export async function noteSignIn(
  tx: Tx,
  { id, password_hash }: { readonly id: string; readonly password_hash: string },
  at: Date,
): Promise<{ readonly networkId: number; readonly username: string } | undefined> {
  const [current] = await tx.query<{ networkId: number; username: string }>(
    `update accounts set last_login_at = greatest(last_login_at, $2) where id = $1 and password_hash = $3
     returning network_id as "networkId", username`,
    [id, at, password_hash],
  );
  return current;
}
