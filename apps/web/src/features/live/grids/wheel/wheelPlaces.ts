export const WHEEL_ROWS = 3;

/** CSS grid lines: `2 / span 3`. */
export interface WheelPlace {
  gridColumn: string;
  gridRow: string;
}

/**
 * Maps outcome indexes to places. Zeros span the rows at the left, or at the top if `upright`. Layout rows come top
 * down after the zeros; upright, the bottom row becomes the left column.
 */
export function wheelPlaces(
  [zeros = [], ...rows]: readonly (readonly number[])[],
  upright: boolean,
): ReadonlyMap<number, WheelPlace> {
  const shares = Math.max(1, zeros.length);
  const places = new Map<number, WheelPlace>();
  /** `along` counts columns, `across` rows from the lower edge. */
  const put = (outcome: number, along: number, across: number, span: number) => {
    const length = `${along + 1} / span 1`;
    const from = upright ? across : shares * WHEEL_ROWS - across - span;
    const width = `${from + 1} / span ${span}`;
    places.set(outcome, upright ? { gridColumn: width, gridRow: length } : { gridColumn: length, gridRow: width });
  };
  for (const [index, zero] of zeros.entries()) put(zero, 0, index * WHEEL_ROWS, WHEEL_ROWS);
  for (const [index, row] of rows.toReversed().entries())
    for (const [column, outcome] of row.entries()) put(outcome, column + 1, index * shares, shares);
  return places;
}
