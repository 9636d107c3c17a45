import { useSyncExternalStore } from 'react';
import { getSession, onSession } from './playerSession.ts';

export interface Wallet {
  readonly walletBalance: number;
  readonly winnings: number;
}

const listeners = new Set<() => void>();
const changeListeners = new Set<() => void>();
let wallet: Wallet | null = null;
let owner = getSession()?.token;

onSession(() => {
  if (getSession()?.token === owner) return;
  owner = getSession()?.token;
  set(null);
});

/** Missing fields keep their value. */
export function noteWallet(now: Pick<Wallet, 'walletBalance'> & Partial<Wallet>): void {
  set({ walletBalance: now.walletBalance, winnings: now.winnings ?? wallet?.winnings ?? 0 });
}

export function onWalletChange(hear: () => void): () => void {
  changeListeners.add(hear);
  return () => void changeListeners.delete(hear);
}

export function useWallet(): Wallet | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wallet,
  );
}

function set(now: Wallet | null): void {
  const before = wallet;
  wallet = now;
  for (const listener of listeners) listener();
  if (!before || !now || (before.walletBalance === now.walletBalance && before.winnings === now.winnings)) return;
  for (const hear of changeListeners) hear();
}
