/** Fractions. Above the first, players win more than they stake; below the second, they get little back. */
export const RETURN_BOUNDS = { above: 1, below: 0.7 } as const;

/** Shown to operators, never to players. Null: no mark. */
export type ReturnMark = keyof typeof RETURN_BOUNDS | null;

export function returnMark(theoretical: number): ReturnMark {
  if (theoretical > RETURN_BOUNDS.above) return 'above';
  return theoretical < RETURN_BOUNDS.below ? 'below' : null;
}
