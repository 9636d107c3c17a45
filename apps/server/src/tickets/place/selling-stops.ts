import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * Players below an account whose floor is passed. Credit is read here, exactly; `stopped_at` says if an account owes
 * too much.
 */
export async function readSellingStops(
  tx: Tx,
  networkId: number,
  players: readonly string[],
): Promise<ReadonlyMap<string, CallError>> {
  const stopped = await tx.query<{ id: string }>(
    sql`select distinct a.id from standing_orders o join accounts a on a.id = any(${players}::uuid[]) and o.account_id = any(a.chain)
      where o.network_id = ${networkId} and o.kind = 'floor' and o.ended_at is null and case o.measure
        when 'owed' then o.stopped_at is not null
        else coalesce((select w.balance from wallets w where w.network_id = ${networkId} and w.owner_id = o.account_id
          and w.kind = ${sql.lit(WALLET_KINDS.credit)}), 0) < o.amount end`.named('bet-selling-stops'),
  );
  return new Map(stopped.map(({ id }) => [id, new CallError('SELLING_STOPPED')]));
}
