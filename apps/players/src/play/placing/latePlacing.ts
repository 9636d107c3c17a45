import { useSyncExternalStore } from 'react';
import type { KeptBet } from './keptBet.ts';

const NONE: readonly KeptBet[] = [];
const listeners = new Set<() => void>();
let part: Awaited<ReturnType<typeof load>> | null = null;

async function load() {
  const [{ placeTicket }, { accountPlacing, keptBets: kept, onKeptBets }, { FateCard }] = await Promise.all([
    import('./placeTicket.ts'),
    import('./accountPlacing.ts'),
    import('./FateCard.tsx'),
  ]);
  return { placeTicket, accountPlacing, kept, onKeptBets, FateCard };
}

/** What places tickets and shows what became of them, fetched with the first touch of a board, or where a ticket is kept. Rejects where it can't be fetched. */
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

/** The same, where it is there; it is wherever a ticket is kept on this device. */
export function placingPart(): typeof part {
  return part;
}

/** The tickets of a game that are kept on this device, the newest last. */
export function useBetsOf(gameId: string): readonly KeptBet[] {
  return useSyncExternalStore(subscribe, keptBets).filter((bet) => bet.gameId === gameId);
}

/** Lets go of a ticket whose fate its player has seen. */
export function forgetBet(requestId: string): void {
  part?.accountPlacing()?.forget(requestId);
}

/** Takes note that betting on a draw has closed before its time. */
export function noteClosed(drawId: string): void {
  part?.accountPlacing()?.closed(drawId);
}

function keptBets(): readonly KeptBet[] {
  return part?.kept() ?? NONE;
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
