import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { CallError } from '../http/http-errors.ts';
import { TRANSFER_KINDS, WALLET_KINDS, walletKindOf } from '@drawhouse/rules/ledger-kinds';
import type { TransferKind, WalletKind } from '@drawhouse/rules/ledger-kinds';
import { columnsOf } from './wallets.ts';
import { MAY_BE_NEGATIVE } from '@drawhouse/rules/ledger-kinds';
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

/** A wallet that this transaction has locked, as the postings so far have left it. */
export interface LockedWallet {
  /** Its number within the network. */
  readonly id: number;
  readonly kind: WalletKind;
  balance: bigint;
  /** How many transfers it was in: each has its number in the wallet's history, from 1 without a gap. */
  version: bigint;
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

/** When credit moves, and what it is moved by. */
export type Stamp = { readonly at: Date } & Pick<Services, 'newId' | 'events'>;

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

/** Whether a wallet can pay an amount: those of three kinds always can, the others down to zero. */
function canPay(wallet: LockedWallet, amount: bigint): boolean {
  return MAY_BE_NEGATIVE.has(wallet.kind) || wallet.balance >= amount;
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
  const touched = new Set<LockedWallet>();
  const rows = postings.map((posting) => {
    const from = wallets.get(posting.from);
    const to = wallets.get(posting.to);
    if (!from || !to || from === to) throw new Error('A posting needs two different locked wallets.');
    if (posting.amount <= 0n) throw new Error('A posting moves more than nothing.');
    if (!canPay(from, posting.amount)) throw new CallError('INSUFFICIENT_CREDIT');
    from.balance -= posting.amount;
    to.balance += posting.amount;
    from.version++;
    to.version++;
    touched.add(from).add(to);
    return {
      id: stamp.newId(),
      from: from.id,
      to: to.id,
      fromBalance: from.balance,
      toBalance: to.balance,
      fromVersion: from.version,
      toVersion: to.version,
    };
  });
  const changed = [...touched];
  const [written] = await tx.query<{ open: boolean }>(
    `with changed as (
       update wallets w set balance = new.balance, version = new.version
       from unnest($3::int[], $4::bigint[], $5::bigint[]) as new (id, balance, version)
       where w.network_id = $1 and w.id = new.id
     )
     insert into transfers (network_id, at, id, from_wallet, to_wallet, from_balance, to_balance, from_version, to_version, amount,
                            kind, actor_id, reference, note)
     select $1, $2::timestamptz, *
     from unnest($6::uuid[], $7::int[], $8::int[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],
                 $14::smallint[], $15::uuid[], $16::uuid[], $17::text[])
     returning (select enter_books($1)) as open`,
    [
      networkId,
      stamp.at,
      changed.map((wallet) => wallet.id),
      changed.map((wallet) => wallet.balance),
      changed.map((wallet) => wallet.version),
      rows.map((row) => row.id),
      rows.map((row) => row.from),
      rows.map((row) => row.to),
      rows.map((row) => row.fromBalance),
      rows.map((row) => row.toBalance),
      rows.map((row) => row.fromVersion),
      rows.map((row) => row.toVersion),
      postings.map((posting) => posting.amount),
      postings.map((posting) => TRANSFER_KINDS[posting.kind]),
      postings.map((posting) => posting.actorId),
      postings.map((posting) => posting.reference),
      postings.map((posting) => posting.note ?? ''),
    ],
    'ledger-move',
  );
  if (!written!.open) throw new CallError('NETWORK_RESTORING');
  tellMoved(stamp, tx, networkId, () => accountsOf(postings));
  return rows.map((row) => row.id);
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
