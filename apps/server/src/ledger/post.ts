import type { TransferKind } from '@drawhouse/contract/credit';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import type { NewId } from '../db/uuid7.ts';
import { CallError } from '../http/errors.ts';
import { MAY_BE_NEGATIVE } from './wallets.ts';
import type { WalletKind } from './wallets.ts';

/** One movement: `amount` hundredths, above zero, out of the debit wallet into the credit wallet. */
export interface Posting {
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
  readonly kind: TransferKind;
  readonly actorId: string | null;
  /** What it is about: a ticket, a draw, the other half of a transfer across the border of a network. */
  readonly reference: string | null;
  readonly note?: string;
}

/** A wallet that this transaction has locked, with its balance as the postings so far have left it. */
export interface LockedWallet {
  readonly kind: WalletKind;
  balance: bigint;
  /** The latest transfer into or out of it, null before the first. Those of a wallet follow each other by their ids. */
  last: string | null;
}

/** The wallets that a transaction has locked, by id. */
export type LockedWallets = Map<string, LockedWallet>;

/**
 * Locks wallets of one network in id order, so that no two transactions wait for each other. A transaction calls it once per
 * network, the root first, with all the wallets it will touch. Throws when one does not exist.
 */
export async function lockWallets(tx: Tx, networkId: string, ids: Iterable<string>): Promise<LockedWallets> {
  const wanted = [...new Set(ids)].sort();
  const rows = await tx.query<{ id: string; kind: WalletKind; balance: bigint; last: string | null }>(
    'select id, kind, balance, last_transfer as last from wallets where network_id = $1 and id = any($2::uuid[]) order by id for update',
    [networkId, wanted],
    'ledger-lock',
  );
  if (rows.length !== wanted.length) {
    const found = new Set(rows.map((row) => row.id));
    throw new Error(`No such wallet in network ${networkId}: ${wanted.filter((id) => !found.has(id)).join(', ')}`);
  }
  return new Map(rows.map(({ id, ...wallet }) => [id, wallet]));
}

/** Whether a wallet can pay an amount: those of three kinds always can, the others down to zero. */
function canPay(wallet: LockedWallet, amount: bigint): boolean {
  return MAY_BE_NEGATIVE.has(wallet.kind) || wallet.balance >= amount;
}

/**
 * Makes the postings, in order, on wallets that are locked: writes the transfers and the new balances in one statement.
 * Gives the ids of the transfers; each is above all earlier ones of both its wallets, whichever server made those, so that a
 * wallet's transfers in the order of their ids are its history; for their times to rise as well, `stamp.at` is taken once the
 * wallets are locked. Throws INSUFFICIENT_CREDIT, having written nothing,
 * when a wallet cannot pay; the locked wallets then are of no use any more.
 */
export async function move(
  tx: Tx,
  networkId: string,
  stamp: { at: Date; newId: NewId },
  wallets: LockedWallets,
  postings: readonly Posting[],
): Promise<string[]> {
  if (postings.length === 0) return [];
  const touched = new Set<string>();
  const rows = postings.map((posting) => {
    const debit = wallets.get(posting.debit);
    const credit = wallets.get(posting.credit);
    if (!debit || !credit || debit === credit) throw new Error('A posting needs two different locked wallets.');
    if (posting.amount <= 0n) throw new Error('A posting moves more than nothing.');
    if (!canPay(debit, posting.amount)) throw new CallError('INSUFFICIENT_CREDIT');
    debit.balance -= posting.amount;
    credit.balance += posting.amount;
    const id = stamp.newId(latestOf(debit, credit));
    debit.last = id;
    credit.last = id;
    touched.add(posting.debit).add(posting.credit);
    return { ...posting, id, debitBalance: debit.balance, creditBalance: credit.balance };
  });
  const changed = [...touched].sort();
  await tx.query(
    `with moved as (
       update wallets w set balance = new.balance, last_transfer = new.last
       from unnest($2::uuid[], $3::bigint[], $15::uuid[]) as new (id, balance, last)
       where w.network_id = $1 and w.id = new.id
     )
     insert into transfers (network_id, id, debit_wallet, credit_wallet, amount, debit_balance, credit_balance, kind, actor_id,
                            reference, note, at)
     select $1, *, $13::timestamptz
     from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::uuid[],
                 $12::uuid[], $14::text[])`,
    [
      networkId,
      changed,
      changed.map((id) => wallets.get(id)!.balance),
      rows.map((row) => row.id),
      rows.map((row) => row.debit),
      rows.map((row) => row.credit),
      rows.map((row) => row.amount),
      rows.map((row) => row.debitBalance),
      rows.map((row) => row.creditBalance),
      rows.map((row) => row.kind),
      rows.map((row) => row.actorId),
      rows.map((row) => row.reference),
      stamp.at,
      rows.map((row) => row.note ?? null),
      changed.map((id) => wallets.get(id)!.last),
    ],
    'ledger-move',
  );
  return rows.map((row) => row.id);
}

function latestOf(one: LockedWallet, other: LockedWallet): string | undefined {
  if (one.last === null || other.last === null) return one.last ?? other.last ?? undefined;
  return one.last > other.last ? one.last : other.last;
}

/**
 * Locks the wallets of the postings and makes them, at the time at which they are locked. Gives the wallets with their new
 * balances, and the transfers' ids.
 */
export async function post(
  tx: Tx,
  networkId: string,
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  postings: readonly Posting[],
): Promise<{ wallets: LockedWallets; transferIds: string[] }> {
  const wallets = await lockWallets(
    tx,
    networkId,
    postings.flatMap((posting) => [posting.debit, posting.credit]),
  );
  return { wallets, transferIds: await move(tx, networkId, { at: clock.now(), newId }, wallets, postings) };
}
