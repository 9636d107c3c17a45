import { createSignal } from '@drawhouse/session/page-store';
import { useSyncExternalStore } from 'react';

const { listen, notify } = createSignal();

export function readStored(key: string): string | null {
  return localStorage.getItem(key);
}

export function writeStored(key: string, text: string | null): void {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  notify();
}

/** Also reports changes by other tabs. */
export function subscribeStored(listener: () => void): () => void {
  const leave = listen(listener);
  window.addEventListener('storage', listener);
  return () => {
    leave();
    window.removeEventListener('storage', listener);
  };
}

const ON = 'on';

export function useStoredFlag(key: string): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(subscribeStored, () => readStored(key) === ON);
  return [on, (next) => writeStored(key, next ? ON : null)];
}

const KEY = 'single-keys';
const OFF = 'off';

/** Speech input users can switch off single-character shortcuts (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return readStored(KEY) !== OFF;
}

export function setSingleKeys(on: boolean): void {
  writeStored(KEY, on ? null : OFF);
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribeStored, hasSingleKeys);
}

/** Arrows and Escape always act. */
export function isSwitchedOff(event: { key: string }): boolean {
  return [...event.key].length === 1 && !hasSingleKeys();
}
