import { useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from '../lib/kept.ts';

const KEY = 'menu';
const FOLDED = 'folded';

export function foldMenu(folded: boolean): void {
  keep(KEY, folded ? FOLDED : null);
}

export function useMenuFolded(): boolean {
  return useSyncExternalStore(subscribeKept, () => kept(KEY) === FOLDED);
}

const GROUPS_KEY = 'menu-groups';

function foldedGroups(): readonly string[] {
  return kept(GROUPS_KEY)?.split(',') ?? [];
}

export function useGroupFold(group: string): { folded: boolean; toggle: () => void } {
  const folded = useSyncExternalStore(subscribeKept, () => foldedGroups().includes(group));
  const toggle = () => {
    const others = foldedGroups().filter((name) => name !== group);
    const groups = folded ? others : [...others, group];
    keep(GROUPS_KEY, groups.length === 0 ? null : groups.join(','));
  };
  return { folded, toggle };
}
