import { createSignal } from '@drawhouse/session/page-store';
import { useSyncExternalStore } from 'react';
import type { PendingBet } from './pendingBet.ts';

const NONE: readonly PendingBet[] = [];
const { listen, tell } = createSignal();
let part: Awaited<ReturnType<typeof load>> | null = null;

async function load() {
  const [{ placeTicket, repeatTicket }, { accountPlacing, keptBets: kept, onKeptBets }, { FateCard }] =
    await Promise.all([import('./placeTicket.ts'), import('./accountPlacing.ts'), import('./BetStatusCard.tsx')]);
  return { placeTicket, repeatTicket, accountPlacing, kept, onKeptBets, FateCard };
}

/** Loads on first touch of a board, or if a bet is stored. Rejects on failure. */
export async function fetchPlacing(): Promise<NonNullable<typeof part>> {
  if (part) return part;
  const loaded = await load();
  if (!part) {
    part = loaded;
    loaded.onKeptBets(tell);
    tell();
  }
  return part;
}

/** Undefined until loaded; always loaded if a bet is stored. */
export function placingPart(): typeof part {
  return part;
}

/** Newest last. */
export function useBetsOf(gameId: string): readonly PendingBet[] {
  return useSyncExternalStore(listen, keptBets).filter((bet) => bet.gameId === gameId);
}

export function forgetBet(requestId: string): void {
  part?.accountPlacing()?.forget(requestId);
}

export function noteClosed(drawId: string): void {
  part?.accountPlacing()?.closed(drawId);
}

function keptBets(): readonly PendingBet[] {
  return part?.kept() ?? NONE;
}
