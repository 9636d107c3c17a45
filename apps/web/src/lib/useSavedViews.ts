import { useMemo, useSyncExternalStore } from 'react';
import { keep, kept, subscribeKept } from './kept.ts';
import { parseViews, renamedView, viewsKey, viewsText, withoutView, withView } from './savedViews.ts';
import type { SavedView } from './savedViews.ts';
import { useUser } from './useSession.ts';

export interface SavedViews {
  views: readonly SavedView[];
  save: (view: SavedView) => void;
  rename: (from: string, to: string) => void;
  remove: (name: string) => void;
}

/** Stored on this device only, like the column choice. */
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
