import { useSyncExternalStore } from 'react';
import { getSession, onSession } from './playerSession.ts';

/** What a player can spend, and what it has won and not claimed yet, in points. */
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

/** Takes what the server has just said of the own wallet; what it left out stays as it was. */
export function noteWallet(now: Pick<Wallet, 'walletBalance'> & Partial<Wallet>): void {
  set({ walletBalance: now.walletBalance, winnings: now.winnings ?? wallet?.winnings ?? 0 });
}

/** Hears whenever the wallet has become another than it was known to be; answers how to stop. */
export function onWalletChange(hear: () => void): () => void {
  changeListeners.add(hear);
  return () => void changeListeners.delete(hear);
}

/** The own wallet as the server said it last; null until it has. */
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
