import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Sql } from '../platform/db/sql/sql.ts';

// Commissions are exact to 1/10,000 of a hundredth. Whole hundredths are paid; the wallet carries the remainder to the
// next settlement.

/** SQL; null without a commission wallet. */
export const remainderOf = (network: string, account: string): string =>
  `(select w.remainder from wallets w where w.network_id = ${network} and w.owner_id = ${account} and w.kind = ${WALLET_KINDS.commission})`;

/** SQL for the number of the account's next commission settlement; a pay-out stores it with the new remainder. */
export const nextCarried = (network: string, account: string): string =>
  `(select w.carried + 1 from wallets w where w.network_id = ${network} and w.owner_id = ${account} and w.kind = ${WALLET_KINDS.commission})`;

/**
 * Locks commission wallets by number, given a SELECT of account ids. Settlements call it before other wallet locks (see
 * `LOCK_ORDER`): bets need none of these, and remainders are read before settlements are written.
 */
export async function lockEarned(tx: Tx, networkId: number, accounts: Sql): Promise<void> {
  await tx.query(sql`select count(*) from (
      select from wallets w where w.network_id = ${networkId}::int and w.id = any(array(
        select w.id from (${accounts}) as earner (id)
        join wallets w on w.network_id = ${networkId}::int and w.owner_id = earner.id and w.kind = ${WALLET_KINDS.commission}
      )) order by w.id for update
    ) as locked`);
}
