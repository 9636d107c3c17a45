/** The theoretical returns beyond which operators are told, as fractions: above the first players win more than they lay, below the second little comes back. */
export const RETURN_BOUNDS = { above: 1, below: 0.7 } as const;

/** How a theoretical return is marked for operators, never for players; null: not at all. */
export type ReturnMark = keyof typeof RETURN_BOUNDS | null;

/** The mark of a theoretical return, which is a fraction: 0.9 is 90 %. */
export function returnMark(theoretical: number): ReturnMark {
  if (theoretical > RETURN_BOUNDS.above) return 'above';
  return theoretical < RETURN_BOUNDS.below ? 'below' : null;
}
