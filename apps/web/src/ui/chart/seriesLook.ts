/** How the series of a chart differ: by colour, and without it by dash and filling. */
export const LOOKS = [
  { token: '--dh-accent', dash: [], fill: 'solid' },
  { token: '--dh-warn', dash: [7, 4], fill: 'hatched' },
  { token: '--dh-text', dash: [2, 3], fill: 'open' },
] as const;

/** The look of a series by its index. */
export function lookOf(index: number): (typeof LOOKS)[number] {
  return LOOKS[index % LOOKS.length]!;
}
