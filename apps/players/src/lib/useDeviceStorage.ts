import { createSignal } from '@drawhouse/session/page-store';
import { useCallback, useSyncExternalStore } from 'react';

const { listen, notify } = createSignal();
window.addEventListener('storage', () => notify());

/** If storage fails, the text lasts as long as the page. */
export function useDeviceStorage(name: string): readonly [text: string | null, store: (text: string) => void] {
  const text = useSyncExternalStore(listen, () => unsaved.get(name) ?? localStorage.getItem(name));
  const store = useCallback(
    (next: string) => {
      try {
        localStorage.setItem(name, next);
        unsaved.delete(name);
      } catch {
        unsaved.set(name, next);
      }
      notify();
    },
    [name],
  );
  return [text, store];
}

const unsaved = new Map<string, string>();

export const notifySetting = (accountId: string): string => `notify/${accountId}`;
