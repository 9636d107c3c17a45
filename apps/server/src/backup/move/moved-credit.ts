import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { post } from '../../ledger/post.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import type { Services } from '../../platform/services.ts';
import type { Exchange } from '../restore/reconcile-with-root.ts';
import { sql } from '../../platform/db/sql/sql.ts';

// A moved network brings its credit, so one transfer issues the amount that crossed the foreign boundary.

const { boundary } = WALLET_KINDS;

export async function recordMove(services: Services, tx: Tx, exchange: Exchange): Promise<void> {
  const { adminId, staged, moveId, takenAt, username } = exchange;
  await tx.query(
    sql`insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
     select ${staged}, ${moveId}, ${services.clock.now()}, ${takenAt}, -balance, version, told_hash(${staged}, ${moveId}),
       ${username} from wallets where network_id = ${staged} and owner_id = ${adminId} and kind = ${sql.lit(boundary)}`,
  );
}

export async function rootExtractHash(on: Queryable, networkId: number, moveId: string): Promise<string> {
  const [row] = await on.query<{ hash: string }>(sql`select encode(told_hash(${networkId}, ${moveId}), 'hex') as hash`);
  return row!.hash;
}

export async function issueMovedCredit(
  services: Services,
  tx: Tx,
  { adminId, staged, moveId }: Exchange,
): Promise<void> {
  const [move] = await tx.query<{ amount: bigint }>(
    sql`select amount from moves where network_id = ${staged} and id = ${moveId}`,
  );
  const { amount } = move!;
  if (amount === 0n) return;
  const to = `boundary:${adminId}` as const;
  const posting = { from: ISSUANCE, to, amount, kind: 'restore', actorId: null, reference: moveId! } as const;
  await post(tx, ROOT_NETWORK, services, [posting]);
}
