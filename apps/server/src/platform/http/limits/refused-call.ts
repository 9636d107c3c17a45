const NAME_MAX = 64;
export const NAMES_MAX = 20;
const DEPTH_MAX = 4;

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
