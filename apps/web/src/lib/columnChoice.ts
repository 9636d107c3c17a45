import { keep } from './kept.ts';

/** The key under which the columns that a list hides are kept: one entry for each list, none while it shows all. */
export function columnsKey(list: string): string {
  return `columns.${list}`;
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
  keep(columnsKey(list), hidden.size === 0 ? null : JSON.stringify([...hidden]));
}
