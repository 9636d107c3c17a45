import { useMemo, useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from './kept.ts';
import { parseViews, renamedView, viewsKey, viewsText, withoutView, withView } from './savedViews.ts';
import type { SavedView } from './savedViews.ts';
import { useUser } from './useSession.ts';

/** The views of a list that the signed-in account has saved, and how to change them. */
export interface SavedViews {
  views: readonly SavedView[];
  /** Saves one; it takes the place of one of its name. */
  save: (view: SavedView) => void;
  rename: (from: string, to: string) => void;
  remove: (name: string) => void;
}

/** The signed-in account's own views of a list. They stay on this device, as the choice of columns does. */
export function useSavedViews(list: string): SavedViews {
  const key = viewsKey(useUser()._id, list);
  const text = useSyncExternalStore(subscribeKept, () => kept(key));
  return useMemo(() => {
    const views = parseViews(text);
    const set = (next: readonly SavedView[]) => keep(key, viewsText(next));
    return {
      views,
      save: (view) => set(withView(views, view)),
      rename: (from, to) => set(renamedView(views, from, to)),
      remove: (name) => set(withoutView(views, name)),
    };
  }, [key, text]);
}
