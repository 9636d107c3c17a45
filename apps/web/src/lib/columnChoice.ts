import { writeStored } from './deviceStorage.ts';

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
