import { createPageStore } from '@drawhouse/session/page-store';

export interface OpenBet {
  readonly requestId: string;
  readonly gameId: string;
  readonly stake: number;
}

const openBets = createPageStore<readonly OpenBet[]>([]);
export const useOpenBets = openBets.useValue;

export function noteOpenBets(now: readonly OpenBet[]): void {
  const before = openBets.get();
  const isSame = now.length === before.length && now.every(({ requestId }, at) => before[at]!.requestId === requestId);
  if (!isSame) openBets.set(now);
}

/** Web lock, shared by tabs, that blocks reloads while a bet is pending. */
const LOCK = 'drawhouse bet without an answer';
let lockCount = 0;
let isStarted = false;

/** An automatic reload would lose an unfinished ticket. */
export function setTicketStarted(now: boolean): void {
  isStarted = now;
}

export function isTicketStarted(): boolean {
  return isStarted;
}

/** Blocks updates in all tabs until the returned function runs. */
export function holdUpdate(): () => void {
  lockCount += 1;
  const { promise, resolve } = Promise.withResolvers<void>();
  // On plain http outside localhost, browsers offer neither locks nor service workers.
  if ('locks' in navigator) navigator.locks.request(LOCK, { mode: 'shared' }, () => promise).catch(() => undefined);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    lockCount -= 1;
    resolve();
  };
}

/** Runs `update` unless blocked. Resolves to true if it ran. */
export async function updateIfFree(update: () => void): Promise<boolean> {
  if (lockCount > 0) return false;
  if (!('locks' in navigator)) {
    update();
    return true;
  }
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock) update();
    return lock !== null;
  });
}
