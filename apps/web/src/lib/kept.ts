const listeners = new Set<() => void>();

export function kept(key: string): string | null {
  return localStorage.getItem(key);
}

export function keep(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  for (const listener of listeners) listener();
}

/** Also reports changes from other tabs. Returns an unsubscribe function. */
export function subscribeKept(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
