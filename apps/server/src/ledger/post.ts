import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { WALLET_KINDS, walletKindOf } from '@drawhouse/rules/records/ledger-kinds';
import { columnsOf, type WalletName } from './wallets.ts';
import { writeMovements, type LockedWallet, type Movement, type Stamp } from './write-transfers.ts';
import { sql } from '../platform/db/sql/sql.ts';

/** Amount positive. Same network only. */
export interface Posting extends Omit<Movement, 'from' | 'to'> {
  readonly from: WalletName;
  readonly to: WalletName;
}

export type LockedWallets = Map<WalletName, LockedWallet>;

/**
 * Commissions first, since a settlement holds them longest; escrows last, since every bet on the game needs them;
 * otherwise by number.
 */
const LOCK_ORDER = sql`w.kind = ${sql.lit(WALLET_KINDS.escrow)}, w.kind <> ${sql.lit(WALLET_KINDS.commission)}, w.id`;

/** Locks in `LOCK_ORDER`, to prevent deadlocks. Call once per network with every wallet needed, root network first. */
export async function lockWallets(tx: Tx, networkId: number, names: Iterable<WalletName>): Promise<LockedWallets> {
  const distinctNames = [...new Set(names)];
  const [kinds, owners] = columnsOf(distinctNames);
  const rows = await tx.query<{ id: number; kind: number; owner_id: string; balance: bigint; version: bigint }>(
    sql`select w.id, w.kind, w.owner_id, w.balance, w.version
     from unnest(${kinds}::smallint[], ${owners}::uuid[]) as wanted (kind, owner_id)
     join wallets w on w.network_id = ${networkId} and w.owner_id = wanted.owner_id and w.kind = wanted.kind
     order by ${LOCK_ORDER} for update of w`.named('ledger-lock'),
  );
  const locked: LockedWallets = new Map();
  for (const { id, kind, owner_id, balance, version } of rows) {
    const name = walletKindOf(kind);
    locked.set(`${name}:${owner_id}`, { id, kind: name, balance, version });
  }
  const missing = distinctNames.filter((name) => !locked.has(name));
  if (missing.length > 0) throw new Error(`No such wallet in network ${networkId}: ${missing.join(', ')}`);
  return locked;
}

export function notifyMoved(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  networkId: number,
  accountIds: () => readonly string[],
): void {
  tx.onCommit(() => events.emit('creditMoved', { networkId, accountIds }));
}

function accountsOf(postings: readonly Posting[]): string[] {
  const owners = postings
    .flatMap(({ from, to }) => [from, to])
    .filter((name) => name.startsWith('credit:') || name.startsWith('winnings:'))
    .map((name) => name.slice(name.indexOf(':') + 1));
  return [...new Set(owners)];
}

/**
 * Posts in order, in one statement. Take `stamp.at` under the locks, so history times rise. Returns transfer ids.
 * Throws INSUFFICIENT_CREDIT without writing, which invalidates the locked wallets, and NETWORK_RESTORING while books
 * are closed.
 */
export async function move(
  tx: Tx,
  networkId: number,
  stamp: Stamp,
  wallets: LockedWallets,
  postings: readonly Posting[],
): Promise<string[]> {
  if (postings.length === 0) return [];
  const movements = postings.map(({ from, to, ...posting }) => {
    const sides = { from: wallets.get(from), to: wallets.get(to) };
    if (!sides.from || !sides.to || sides.from === sides.to)
      throw new Error('A posting needs two different locked wallets.');
    return { ...posting, from: sides.from, to: sides.to };
  });
  const { ids, statement } = writeMovements(networkId, stamp, { movements });
  const [written] = await tx.query<{ open: boolean }>(statement.named('ledger-move'));
  if (!written!.open) throw new CallError('NETWORK_RESTORING');
  notifyMoved(stamp, tx, networkId, () => accountsOf(postings));
  return [...ids];
}

export async function post(
  tx: Tx,
  networkId: number,
  { clock, newId, events }: Pick<Services, 'clock' | 'newId' | 'events'>,
  postings: readonly Posting[],
): Promise<{ wallets: LockedWallets; transferIds: string[] }> {
  const wallets = await lockWallets(
    tx,
    networkId,
    postings.flatMap((posting) => [posting.from, posting.to]),
  );
  return { wallets, transferIds: await move(tx, networkId, { at: clock.now(), newId, events }, wallets, postings) };
}
