import { useSyncExternalStore } from 'react';

export interface OpenBet {
  readonly requestId: string;
  readonly gameId: string;
  readonly stake: number;
}

const listeners = new Set<() => void>();
let open: readonly OpenBet[] = [];

export function noteOpenBets(now: readonly OpenBet[]): void {
  if (now.length === open.length && now.every(({ requestId }, index) => open[index]!.requestId === requestId)) return;
  open = now;
  for (const listener of listeners) listener();
}

export function useOpenBets(): readonly OpenBet[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
