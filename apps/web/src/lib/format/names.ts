const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Natural order: `kid2` before `kid10`, as the server sorts names. */
export function compareNames(a: string, b: string): number {
  return names.compare(a, b);
}

/** Case-insensitive. */
export function hasAllWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
