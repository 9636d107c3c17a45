/** Where checkpoints that came with answers wait to be compared. */
export const HEARD_KEY = 'seal-heard';
/** No more wait: a server that answers none of a watch's questions fills no browser. */
const MOST_HEARD = 50;

/** The checkpoints that wait to be compared, the first one first. */
export function heardSeals(storage: Pick<Storage, 'getItem'>): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(HEARD_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** Keeps a checkpoint that came with an answer until the watch has compared it. Where the browser keeps nothing it is let go. */
export function noteHeardSeal(storage: Pick<Storage, 'getItem' | 'setItem'>, seal: string | undefined): void {
  const heard = heardSeals(storage);
  if (seal === undefined || heard.includes(seal) || heard.length >= MOST_HEARD) return;
  try {
    storage.setItem(HEARD_KEY, JSON.stringify([...heard, seal]));
  } catch {
    // The next look compares the newest one.
  }
}
