import { useSyncExternalStore } from 'react';

/** A ticket of which it is being found out whether it was placed. */
export interface OpenBet {
  readonly requestId: string;
  readonly gameId: string;
  /** In points. */
  readonly stake: number;
}

const listeners = new Set<() => void>();
let open: readonly OpenBet[] = [];

/** Notes which tickets have no answer yet: whoever places them says so, and every page can tell. */
export function noteOpenBets(now: readonly OpenBet[]): void {
  if (now.length === open.length && now.every(({ requestId }, index) => open[index]!.requestId === requestId)) return;
  open = now;
  for (const listener of listeners) listener();
}

/** The tickets that have no answer yet, as is known now. */
export function useOpenBets(): readonly OpenBet[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
