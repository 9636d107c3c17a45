/** The lock by which the tabs of a browser know that none of them may be loaded anew: a bet has no answer yet. */
const LOCK = 'drawhouse bet without an answer';
let held = 0;
let isLaid = false;

/** Notes whether a ticket is being made: it would be lost if the page were loaded anew by itself. */
export function noteLaid(now: boolean): void {
  isLaid = now;
}

/** Whether one is. */
export function isTicketLaid(): boolean {
  return isLaid;
}

/** Lets no newer version of this client take over, in any tab, until what this answers is called: as long as a bet has no answer. */
export function holdUpdate(): () => void {
  held += 1;
  const { promise, resolve } = Promise.withResolvers<void>();
  // Browsers withhold locks on plain http outside localhost, and service workers too.
  if ('locks' in navigator) navigator.locks.request(LOCK, { mode: 'shared' }, () => promise).catch(() => undefined);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    held -= 1;
    resolve();
  };
}

/** Does `update` now where nothing holds it; answers whether it did. */
export async function updateIfFree(update: () => void): Promise<boolean> {
  if (held > 0) return false;
  if (!('locks' in navigator)) {
    update();
    return true;
  }
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock) update();
    return lock !== null;
  });
}
