import { createSignal } from '@drawhouse/session/page-store';

const { listen, tell } = createSignal();

export function readStored(key: string): string | null {
  return localStorage.getItem(key);
}

export function writeStored(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  tell();
}

/** Also reports changes from other tabs. Returns an unsubscribe function. */
export function subscribeStored(listener: () => void): () => void {
  const leave = listen(listener);
  window.addEventListener('storage', listener);
  return () => {
    leave();
    window.removeEventListener('storage', listener);
  };
}
