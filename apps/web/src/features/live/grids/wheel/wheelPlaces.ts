/** How many rows a table has beside its zeros. */
export const WHEEL_ROWS = 3;

/** Where a cell lies on the table, in the words of a CSS grid: `2 / span 3`. */
export interface WheelPlace {
  gridColumn: string;
  gridRow: string;
}

/**
 * Where each outcome of a wheel lies on its table, by its index among the outcomes: the zeros span the rows, at the left, or of an
 * `upright` table at the top, each with its share of the edge. The rows are those of the layout: the zeros first, then from the top
 * down. Upright, what lay below lies at the left, as if the table had been turned.
 */
export function wheelPlaces(
  [zeros = [], ...rows]: readonly (readonly number[])[],
  upright: boolean,
): ReadonlyMap<number, WheelPlace> {
  const shares = Math.max(1, zeros.length);
  const places = new Map<number, WheelPlace>();
  /** Puts an outcome so far along the table, and so far from its lower edge. */
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
