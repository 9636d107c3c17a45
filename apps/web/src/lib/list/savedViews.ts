import type { ListState } from './listUrl.ts';
import { useMemo, useSyncExternalStore } from 'react';
import { writeStored, readStored, subscribeStored } from '../devicePreferences.ts';
import { useUser } from '../session/session.ts';
import { compareNames } from '../format/format.ts';

export interface SavedView {
  name: string;
  state: ListState;
  hidden: readonly string[];
}

export const VIEW_NAME_MAX = 40;

function viewsKey(accountId: string, list: string): string {
  return `views.${accountId}.${list}`;
}

export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(views) ? views.flatMap((view) => readView(view) ?? []) : [];
  } catch {
    return [];
  }
}

function readView(view: unknown): SavedView | null {
  if (typeof view !== 'object' || view === null) return null;
  const { name, state, hidden } = view as Record<string, unknown>;
  if (typeof name !== 'string' || typeof state !== 'object' || state === null) return null;
  const texts = Object.entries(state).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    name,
    state: Object.fromEntries(texts),
    hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
  };
}

export function viewsText(views: readonly SavedView[]): string | null {
  return views.length === 0 ? null : JSON.stringify(views);
}

export function findView(views: readonly SavedView[], name: string): SavedView | undefined {
  return views.find((view) => compareNames(view.name, name.trim()) === 0);
}

/** Replaces a view of the same name. Sorted by name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const named = { ...view, name: view.name.trim().slice(0, VIEW_NAME_MAX) };
  const others = withoutView(views, named.name);
  return [...others, named].toSorted((a, b) => compareNames(a.name, b.name));
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  const found = findView(views, name);
  return views.filter((view) => view !== found);
}

export function renamedView(views: readonly SavedView[], from: string, to: string): readonly SavedView[] {
  const found = findView(views, from);
  return found ? withView(withoutView(views, from), { ...found, name: to }) : views;
}

export function isSameView(a: Omit<SavedView, 'name'>, b: Omit<SavedView, 'name'>): boolean {
  const [of, to] = [Object.entries(a.state), Object.entries(b.state)];
  return (
    of.length === to.length &&
    of.every(([name, value]) => b.state[name] === value) &&
    a.hidden.length === b.hidden.length &&
    a.hidden.every((id) => b.hidden.includes(id))
  );
}

export interface SavedViews {
  views: readonly SavedView[];
  save: (view: SavedView) => void;
  rename: (from: string, to: string) => void;
  remove: (name: string) => void;
}

/** Stores views on this device only, like the column choice. */
export function useSavedViews(list: string): SavedViews {
  const key = viewsKey(useUser()._id, list);
  const text = useSyncExternalStore(subscribeStored, () => readStored(key));
  return useMemo(() => {
    const views = parseViews(text);
    const set = (next: readonly SavedView[]) => writeStored(key, viewsText(next));
    return {
      views,
      save: (view) => set(withView(views, view)),
      rename: (from, to) => set(renamedView(views, from, to)),
      remove: (name) => set(withoutView(views, name)),
    };
  }, [key, text]);
}

export function columnsKey(list: string): string {
  return `columns.${list}`;
}

export function parseHidden(text: string | null): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

export function keepHidden(list: string, hidden: ReadonlySet<string>): void {
  writeStored(columnsKey(list), hidden.size === 0 ? null : JSON.stringify([...hidden]));
}
