const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts naturally, as the server does: `kid2` before `kid10`. */
export function compareNames(a: string, b: string): number {
  return names.compare(a, b);
}

export function hasAllWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
