/**
 * JSON text with the keys of every object sorted, so that equal values have equal text. Undefined fields are left out. A number that
 * is written with more digits than a double holds counts as the double, which is what anyone reads from it.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    // What `JSON.rawJSON` makes.
    if (Object.getPrototypeOf(part) === null && 'rawJSON' in part) return Number(part.rawJSON);
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
