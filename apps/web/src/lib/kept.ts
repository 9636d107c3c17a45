const listeners = new Set<() => void>();

/** What this device keeps under a key; null where it keeps nothing. */
export function kept(key: string): string | null {
  return localStorage.getItem(key);
}

/** Keeps a text under a key, or with null nothing any more. */
export function keep(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  for (const listener of listeners) listener();
}

/** Tells of every change of what is kept, in other tabs too; answers how to stop. */
export function subscribeKept(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
