import { createSignal } from '@drawhouse/session/page-store';
import { useCallback, useSyncExternalStore } from 'react';

const { listen, tell } = createSignal();
window.addEventListener('storage', () => tell());

/** Text stored on the device. If storage fails, lasts as long as the page. */
export function useDeviceStorage(name: string): readonly [text: string | null, keep: (text: string) => void] {
  const text = useSyncExternalStore(listen, () => unkept.get(name) ?? localStorage.getItem(name));
  const keep = useCallback(
    (next: string) => {
      try {
        localStorage.setItem(name, next);
        unkept.delete(name);
      } catch {
        unkept.set(name, next);
      }
      tell();
    },
    [name],
  );
  return [text, keep];
}

/** Values that storage refused. */
const unkept = new Map<string, string>();
