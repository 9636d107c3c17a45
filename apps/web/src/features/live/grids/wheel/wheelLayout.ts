import { WHEEL_ROWS } from './wheelPlaces.ts';

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
  /** `least`: sum and net. `names`: all figures, with labels. */
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
