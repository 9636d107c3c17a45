/**
 * Gives equal text for equal values: sorts keys and omits undefined fields. Numbers beyond double precision count as
 * the double, because JSON readers see that.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    // `JSON.rawJSON` objects.
    if (Object.getPrototypeOf(part) === null && 'rawJSON' in part) return Number(part.rawJSON);
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
