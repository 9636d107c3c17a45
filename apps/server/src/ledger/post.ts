import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { WALLET_KINDS, walletKindOf } from '@drawhouse/rules/ledger-kinds';
import type { TransferKind } from '@drawhouse/rules/ledger-kinds';
import { columnsOf } from './wallets.ts';
import { writeMovements } from './write-transfers.ts';
import type { LockedWallet, Stamp } from './write-transfers.ts';
import type { WalletName } from './wallets.ts';

/** One movement: `amount` hundredths, above zero, from one wallet to another of the same network. */
export interface Posting {
  readonly from: WalletName;
  readonly to: WalletName;
  readonly amount: bigint;
  readonly kind: TransferKind;
  readonly actorId: string | null;
  /** What it is about: a ticket, a draw, the other half of a transfer across the border of a network. */
  readonly reference: string | null;
  readonly note?: string;
}

/** The wallets that a transaction has locked, by name. */
export type LockedWallets = Map<WalletName, LockedWallet>;

/**
 * SQL for the order in which a transaction locks wallets `w`: commissions first, which a settlement holds from its beginning; escrows last, as every
 * bet on a game needs its escrow; else by their numbers.
 */
const LOCK_ORDER = `w.kind = ${WALLET_KINDS.escrow}, w.kind <> ${WALLET_KINDS.commission}, w.id`;

/**
 * Locks wallets of one network in one order (`LOCK_ORDER`), so that no two transactions wait for each other. A transaction calls it
 * once per network, the root first, with all the wallets it will touch. Throws when one does not exist.
 */
export async function lockWallets(tx: Tx, networkId: number, names: Iterable<WalletName>): Promise<LockedWallets> {
  const wanted = [...new Set(names)];
  const rows = await tx.query<{ id: number; kind: number; owner_id: string; balance: bigint; version: bigint }>(
    `select w.id, w.kind, w.owner_id, w.balance, w.version
     from unnest($2::smallint[], $3::uuid[]) as wanted (kind, owner_id)
     join wallets w on w.network_id = $1 and w.owner_id = wanted.owner_id and w.kind = wanted.kind
     order by ${LOCK_ORDER} for update of w`,
    [networkId, ...columnsOf(wanted)],
    'ledger-lock',
  );
  const locked: LockedWallets = new Map();
  for (const { id, kind, owner_id, balance, version } of rows) {
    const name = walletKindOf(kind);
    locked.set(`${name}:${owner_id}`, { id, kind: name, balance, version });
  }
  const missing = wanted.filter((name) => !locked.has(name));
  if (missing.length > 0) throw new Error(`No such wallet in network ${networkId}: ${missing.join(', ')}`);
  return locked;
}

/** Tells, once this is committed, whose wallets have changed; `accountIds` is asked for only where anybody watches any. */
export function tellMoved(
  { events }: Pick<Services, 'events'>,
  tx: Tx,
  networkId: number,
  accountIds: () => readonly string[],
): void {
  tx.onCommit(() => events.emit('creditMoved', { networkId, accountIds }));
}

/** The accounts among the owners of wallets: those that may spend what is in one, or claim it. */
function accountsOf(postings: readonly Posting[]): string[] {
  const owners = postings
    .flatMap(({ from, to }) => [from, to])
    .filter((name) => name.startsWith('credit:') || name.startsWith('winnings:'))
    .map((name) => name.slice(name.indexOf(':') + 1));
  return [...new Set(owners)];
}

/**
 * Makes the postings, in order, on wallets that are locked: writes the transfers and the new balances in one statement. Each transfer is
 * the next version of both its wallets; for the times of a history to rise as well, `stamp.at` is taken once the wallets are locked.
 * Gives the ids of the transfers. Throws INSUFFICIENT_CREDIT, having written nothing, when a wallet cannot pay; the locked wallets
 * then are of no use any more. Throws NETWORK_RESTORING while the books are closed.
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
  const { ids, statement } = writeMovements(networkId, stamp, movements);
  const [written] = await tx.query<{ open: boolean }>(statement.named('ledger-move'));
  if (!written!.open) throw new CallError('NETWORK_RESTORING');
  tellMoved(stamp, tx, networkId, () => accountsOf(postings));
  return [...ids];
}

/**
 * Locks the wallets of the postings and makes them, at the time at which they are locked. Gives the wallets with their new
 * balances, and the transfers' ids.
 */
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
