import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

// A commission is exact to 1/10,000 of a hundredth. Whole hundredths are paid; the commission wallet keeps the remainder for the next settlement.

/** SQL for the remainder of an account's commission wallet; null where the account has none. */
export const remainderOf = (network: string, account: string): string =>
  `(select w.remainder from wallets w where w.network_id = ${network} and w.owner_id = ${account} and w.kind = ${WALLET_KINDS.commission})`;

/** SQL for the number of the next settlement of an account's commission wallet. A pay-out stores it with the new remainder. */
export const nextCarried = (network: string, account: string): string =>
  `(select w.carried + 1 from wallets w where w.network_id = ${network} and w.owner_id = ${account} and w.kind = ${WALLET_KINDS.commission})`;

/**
 * Locks the commission wallets of accounts, a SELECT of their ids, in the order of their numbers. Settlements call it before they lock any
 * other wallet, as `LOCK_ORDER` has these first: no bet needs them, and the remainders have to be read before the settlements are written.
 */
export async function lockEarned(tx: Tx, networkId: number, accounts: Sql): Promise<void> {
  await tx.query(sql`select count(*) from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from (${accounts}) as earner (id)
        join wallets w on w.network_id = ${networkId}::int and w.owner_id = earner.id and w.kind = ${WALLET_KINDS.commission}
      )) order by w.id for update
    ) as locked`);
}
