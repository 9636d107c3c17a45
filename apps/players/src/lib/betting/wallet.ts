import { createPageStore, createSignal } from '@drawhouse/session/page-store';
import { getSession, onSession } from '../session/playerSession.ts';

export interface Wallet {
  readonly walletBalance: number;
  readonly winnings: number;
}

const wallet = createPageStore<Wallet | null>(null);
export const useWallet = wallet.useValue;
const changes = createSignal();
export const onWalletChange = changes.listen;
let owner = getSession()?.token;
let notes = 0;

onSession(() => {
  if (getSession()?.token === owner) return;
  owner = getSession()?.token;
  set(null);
});

/** Call before a read: the returned function drops the read's wallet if a newer one was noted meanwhile. */
export function beginWalletRead(): typeof noteWallet {
  const begun = notes;
  return (read) => {
    if (notes === begun) noteWallet(read);
  };
}

/** Missing fields keep their value. */
export function noteWallet(now: Pick<Wallet, 'walletBalance'> & Partial<Wallet>): void {
  notes++;
  set({ walletBalance: now.walletBalance, winnings: now.winnings ?? wallet.get()?.winnings ?? 0 });
}

function set(now: Wallet | null): void {
  const before = wallet.get();
  wallet.set(now);
  if (!before || !now || (before.walletBalance === now.walletBalance && before.winnings === now.winnings)) return;
  changes.notify();
}
