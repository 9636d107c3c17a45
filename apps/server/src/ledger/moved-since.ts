import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../platform/db/database.ts';
import { inKinds, sql } from '../platform/db/sql/sql.ts';
import { columnsOf, type WalletName } from './wallets.ts';

const INTO = sql.raw(inKinds(TRANSFER_KINDS, 'give', 'payout', 'issue', 'table-add'));
const OUT_OF = sql.raw(inKinds(TRANSFER_KINDS, 'takeBack', 'retire', 'table-reset'));

interface Moves {
  readonly networkId: number;
  readonly wallet: WalletName;
  readonly actorId: string;
  readonly since: Date;
  readonly without: readonly string[];
}

/** If the wallet is locked, concurrent moves count. */
export async function movedSince(
  on: Queryable,
  { networkId, wallet, actorId, since, without }: Moves,
): Promise<bigint> {
  const [[kind], [owner]] = columnsOf([wallet]);
  const [row] = await on.query<{ moved: bigint }>(
    sql`select coalesce(sum(t.amount), 0)::bigint as moved from wallets w cross join lateral (
        select id, amount from transfers where network_id = ${networkId} and to_wallet = w.id and kind in ${INTO}
          and actor_id = ${actorId} and at > ${since}
        union all select id, amount from transfers where network_id = ${networkId} and from_wallet = w.id and kind in ${OUT_OF}
          and actor_id = ${actorId} and at > ${since}) as t
      where w.network_id = ${networkId} and w.kind = ${kind} and w.owner_id = ${owner} and t.id <> all(${[...without]}::uuid[])`,
  );
  return row!.moved;
}
