const KEY = 'columns';
const listeners = new Set<() => void>();

/** Where the columns that a list hides are kept: one entry for each list, none while it shows all. */
function keyOf(list: string): string {
  return `${KEY}.${list}`;
}

/** The text that is kept for a list; the same as long as nothing changed. */
export function keptColumns(list: string): string | null {
  return localStorage.getItem(keyOf(list));
}

/** The columns that a list hides, from the text that was kept. */
export function parseHidden(text: string | null): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

/** Keeps which columns a list hides. */
export function keepHidden(list: string, hidden: ReadonlySet<string>): void {
  if (hidden.size === 0) localStorage.removeItem(keyOf(list));
  else localStorage.setItem(keyOf(list), JSON.stringify([...hidden]));
  for (const listener of listeners) listener();
}

/** Tells of every change, in other tabs too; answers how to stop. */
export function subscribeColumns(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
