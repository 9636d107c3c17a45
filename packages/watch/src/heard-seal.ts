/** Where a checkpoint that came with an answer waits to be compared. */
export const HEARD_KEY = 'seal-heard';

/** Keeps a checkpoint that came with an answer until the watch compares it; the last one where several come before. Where the browser keeps nothing it is let go. */
export function noteHeardSeal(storage: Pick<Storage, 'setItem'>, seal: string | undefined): void {
  if (seal === undefined) return;
  try {
    storage.setItem(HEARD_KEY, seal);
  } catch {
    // The next look compares the newest one.
  }
}
