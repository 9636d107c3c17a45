import { appendActivity, changeOf } from '../../activity/append-activity.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Origin } from '../../platform/http/handler.ts';
import { requireOpenBooks } from '../../activity/network-work/closed-books.ts';
import { effectivelyActive } from '../authority.ts';
import { lockCommissions } from '../commission-rules.ts';
import { insertAccount } from './insert-account.ts';
import { requireDistinctName } from './misleading-names.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { ACCOUNT_TEXTS, ACCOUNT_SUBJECTS } from '../accounts-texts.ts';

export interface SignedUp {
  readonly _id: string;
  readonly username: string;
  readonly uniqueId: string;
}

/** Throws NOT_ALLOWED if no sign-up retailer is set or its chain is inactive. */
export async function signUp(
  services: Services,
  retailerName: string | undefined,
  player: { username: string; passwordHash: () => Promise<string> },
  origin: Origin,
): Promise<SignedUp> {
  const { db, clock, newId } = services;
  const [retailer] =
    retailerName === undefined
      ? []
      : await db.query<{ id: string; chain: string[] }>(
          sql`select id, chain from accounts where lower(username) = lower(${retailerName}) and role = 'retailer' and deleted_at is null`,
        );
  if (!retailer || !(await effectivelyActive(db, [retailer.id])).has(retailer.id))
    throw new CallError('NOT_ALLOWED', { message: ACCOUNT_TEXTS.noSignUp });
  const passwordHash = await player.passwordHash();
  return db.transaction(async (tx) => {
    const at = clock.now();
    // A concurrent move of the retailer must not miss this account.
    await lockCommissions(tx, retailer.chain);
    const [parent] = await tx.query<{ id: string; network_id: number; chain: string[] }>(
      sql`select id, network_id, chain from accounts where id = ${retailer.id} and deleted_at is null for share`,
    );
    if (!parent) throw new CallError('NOT_ALLOWED');
    await requireOpenBooks(tx, parent.network_id);
    await requireDistinctName(tx, player.username, parent);
    const id = newId();
    await insertAccount(
      tx,
      {
        role: 'user',
        username: player.username,
        passwordHash,
        commission: 0,
        isCommissionGranted: false,
        note: 'signed up',
        active: true,
        id,
        networkId: parent.network_id,
        parentId: parent.id,
        chain: [...parent.chain, id],
        at,
      },
      services.directory,
    );
    await appendActivity(tx, parent.network_id, services, [
      {
        accountId: id,
        username: player.username,
        subject: ACCOUNT_SUBJECTS.signedUp,
        origin,
        detail: { accountId: id, parentId: parent.id, commission: 0, active: true },
        changes: changeOf('Reference', null, retailerName!, player.username),
      },
    ]);
    const [row] = await tx.query<{ unique_id: string }>(sql`select unique_id from accounts where id = ${id}`);
    return { _id: id, username: player.username, uniqueId: row!.unique_id };
  });
}
