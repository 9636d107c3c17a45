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

const GROUPS_KEY = 'menu-groups';

function foldedGroups(): readonly string[] {
  return kept(GROUPS_KEY)?.split(',') ?? [];
}

/** Whether a group of the menu is folded on this device, following every change, and what folds and unfolds it. */
export function useGroupFold(group: string): { folded: boolean; toggle: () => void } {
  const folded = useSyncExternalStore(subscribeKept, () => foldedGroups().includes(group));
  const toggle = () => {
    const others = foldedGroups().filter((name) => name !== group);
    const groups = folded ? others : [...others, group];
    keep(GROUPS_KEY, groups.length === 0 ? null : groups.join(','));
  };
  return { folded, toggle };
}
