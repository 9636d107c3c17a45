const AGAIN_AFTER_MS = 60_000;
const KEY = 'page-reloaded';

/** Records each approval to prevent a reload loop. */
export function mayReload(store: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(store.getItem(KEY) ?? 0);
  if (now - last < AGAIN_AFTER_MS) return false;
  store.setItem(KEY, String(now));
  return true;
}
