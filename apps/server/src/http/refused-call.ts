/** What is longer is the name of nothing. */
const NAME_MAX = 64;
/** More names no call needs. */
export const NAMES_MAX = 20;
/** How deep they lie at most: in a field of one of several things in a field of the body. */
const DEPTH_MAX = 4;

/** The texts of what was sent that may name something, in small letters, the first twenty. */
export function namesIn(...sent: readonly unknown[]): string[] {
  const names = new Set<string>();
  const look = (value: unknown, depth: number): void => {
    if (names.size >= NAMES_MAX) return;
    if (typeof value === 'string' && value !== '' && value.length <= NAME_MAX) names.add(value.toLowerCase());
    if (typeof value !== 'object' || value === null || depth === 0) return;
    for (const part of Object.values(value)) look(part, depth - 1);
  };
  look(sent, DEPTH_MAX);
  return [...names];
}
