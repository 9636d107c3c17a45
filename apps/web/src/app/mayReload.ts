/** A page that still fails after it was loaded anew is not loaded again by itself for so long. */
const AGAIN_AFTER_MS = 60_000;
const KEY = 'page-reloaded';

/** Whether a page that failed may be loaded anew by itself; a yes is remembered, so that it never goes round and round. */
export function mayReload(store: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(store.getItem(KEY) ?? 0);
  if (now - last < AGAIN_AFTER_MS) return false;
  store.setItem(KEY, String(now));
  return true;
}
