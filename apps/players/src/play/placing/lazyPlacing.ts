import { createSignal } from '@drawhouse/session/page-store';
import { useSyncExternalStore } from 'react';
import type { PendingBet } from './pendingBet.ts';

const NONE: readonly PendingBet[] = [];
const { listen, notify } = createSignal();
let loaded: Awaited<ReturnType<typeof load>> | null = null;

async function load() {
  const [
    { placeTicket, repeatTicket },
    { accountPlacing, storedBets: allStoredBets, onBetsChanged },
    { BetStatusCard },
    { lazyTexts },
  ] = await Promise.all([
    import('./placeTicket.ts'),
    import('./accountPlacing.ts'),
    import('./BetStatusCard.tsx'),
    import('../lazyTexts.ts'),
  ]);
  return {
    placeTicket,
    repeatTicket,
    accountPlacing,
    allStoredBets,
    onBetsChanged,
    BetStatusCard,
    texts: lazyTexts.place,
  };
}

/** Loads when a board is first touched, or if a bet is stored. */
export async function fetchPlacing(): Promise<NonNullable<typeof loaded>> {
  if (loaded) return loaded;
  const fetched = await load();
  if (!loaded) {
    loaded = fetched;
    fetched.onBetsChanged(notify);
    notify();
  }
  return loaded;
}

export function loadedPlacing(): typeof loaded {
  return loaded;
}

/** Newest last. */
export function useBetsOf(gameId: string): readonly PendingBet[] {
  return useSyncExternalStore(listen, storedBets).filter((bet) => bet.gameId === gameId);
}

export function forgetBet(requestId: string): void {
  loaded?.accountPlacing()?.forget(requestId);
}

export function noteClosed(drawId: string): void {
  loaded?.accountPlacing()?.closed(drawId);
}

function storedBets(): readonly PendingBet[] {
  return loaded?.allStoredBets() ?? NONE;
}
