import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { insertAccount } from '../../src/accounts/change/insert-account.ts';
import { hashPassword } from '../../src/auth/passwords/password.ts';
import type { SignedIn, TestApp } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';

export async function secondSuperadmin(t: TestApp): Promise<SignedIn> {
  const id = t.app.services.newId();
  const account = { id, username: 'superadmin-two', role: 'superadmin' as const, chain: [id] };
  const passwordHash = await hashPassword(PASSWORD);
  await t.db.transaction((tx) =>
    insertAccount(
      tx,
      {
        ...account,
        networkId: ROOT_NETWORK,
        parentId: null,
        passwordHash,
        commission: 0,
        isCommissionGranted: false,
        note: 'a second one',
        active: true,
        at: t.clock.now(),
      },
      undefined,
    ),
  );
  return t.signIn(account.username);
}

/** Bypasses server notifications. */
export async function moveAdmin(t: TestApp, adminId: string, superadminId: string): Promise<void> {
  await t.byHand('update accounts set parent_id = $2 where id = $1', [adminId, superadminId]);
  await t.byHand(
    `update accounts set chain = array[$2]::uuid[] || chain[array_position(chain, $1::uuid):] where chain @> array[$1]::uuid[]`,
    [adminId, superadminId],
  );
}
