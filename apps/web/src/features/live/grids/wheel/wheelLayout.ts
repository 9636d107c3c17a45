const WHEEL_ROWS = 3;

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

/** Narrower cells turn the table upright. Pixels, as below. */
const LEAST_CELL = 50;
const GAP = 4;
/** Upright, the number is beside the figures. */
const HEAD_WIDTH = 44;
/** Widths from which a cell shows the payout, and labels. */
const PAYS_FROM = 84;
const NAMES_FROM = 140;
/** Rounded widths rerender less often while resizing. */
const WIDTH_STEP = 4;

export interface WheelLayout {
  upright: boolean;
  widthPx: number;
  detail: 'least' | 'pays' | 'names';
}

export function wheelLayout(width: number, columns: number, narrow: boolean): WheelLayout {
  const upright = narrow || width < columns * LEAST_CELL;
  const across = upright ? WHEEL_ROWS : columns;
  const cellPx = (width - GAP * (across - 1)) / across;
  const contentPx = upright ? cellPx - HEAD_WIDTH : cellPx;
  return {
    upright,
    widthPx: Math.floor(contentPx / WIDTH_STEP) * WIDTH_STEP,
    detail: contentPx >= NAMES_FROM ? 'names' : !upright && cellPx >= PAYS_FROM ? 'pays' : 'least',
  };
}
