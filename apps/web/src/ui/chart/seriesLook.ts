/** Distinguishable without color, by dash and fill. */
export const LOOKS = [
  { token: '--dh-accent', dash: [], fill: 'solid' },
  { token: '--dh-warn', dash: [7, 4], fill: 'hatched' },
  { token: '--dh-text', dash: [2, 3], fill: 'open' },
] as const;

export function lookOf(index: number): (typeof LOOKS)[number] {
  return LOOKS[index % LOOKS.length]!;
}
