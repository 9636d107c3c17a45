import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { post } from '../../ledger/post.ts';
import { ISSUANCE } from '../../ledger/wallets.ts';
import type { Services } from '../../platform/services.ts';
import type { Exchange } from '../restore/reconcile-with-root.ts';

// A moved network brings its credit: the amount that crossed the foreign boundary is issued here, in one transfer.

const { boundary } = WALLET_KINDS;

export async function recordMove(services: Services, tx: Tx, exchange: Exchange): Promise<void> {
  const { adminId, beside, moveId, takenAt, username } = exchange;
  await tx.query(
    `insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
     select $1, $2, $3, $4, -balance, version, told_hash($1, $2), $5 from wallets where network_id = $1 and owner_id = $6 and kind = ${boundary}`,
    [beside, moveId, services.clock.now(), takenAt, username, adminId],
  );
}

export async function rootExtractHash(on: Queryable, networkId: number, moveId: string): Promise<string> {
  const [row] = await on.query<{ hash: string }>(`select encode(told_hash($1, $2), 'hex') as hash`, [
    networkId,
    moveId,
  ]);
  return row!.hash;
}

export async function issueMovedCredit(
  services: Services,
  tx: Tx,
  { adminId, beside, moveId }: Exchange,
): Promise<void> {
  const [move] = await tx.query<{ amount: bigint }>('select amount from moves where network_id = $1 and id = $2', [
    beside,
    moveId,
  ]);
  const { amount } = move!;
  if (amount === 0n) return;
  const to = `boundary:${adminId}` as const;
  const posting = { from: ISSUANCE, to, amount, kind: 'restore', actorId: null, reference: moveId! } as const;
  await post(tx, ROOT_NETWORK, services, [posting]);
}
