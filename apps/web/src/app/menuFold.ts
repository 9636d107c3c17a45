import { useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from '../lib/kept.ts';

const KEY = 'menu';
const FOLDED = 'folded';

/** Folds the sidebar away by hand, or unfolds it, on this device. */
export function foldMenu(folded: boolean): void {
  keep(KEY, folded ? FOLDED : null);
}

/** Whether the sidebar was folded away by hand, following every change. */
export function useMenuFolded(): boolean {
  return useSyncExternalStore(subscribeKept, () => kept(KEY) === FOLDED);
}
