import { WHEEL_ROWS } from './wheelPlaces.ts';

/** A table whose cells would be narrower stands upright. In px, as all below. */
const LEAST_CELL = 50;
/** Between two cells. */
const GAP = 4;
/** The number of an upright cell stands beside its figures, and takes so much. */
const HEAD_BESIDE = 44;
/** From this on a cell has a line for what it pays, and from that on both lines have their names. */
const PAYS_FROM = 84;
const NAMES_FROM = 140;
/** Cells are told their width in steps, so that dragging a window does not draw each of them anew at every px. */
const WIDTH_STEP = 4;

/** How the cells of a wheel's table stand where it is so many px wide. */
export interface WheelLayout {
  upright: boolean;
  /** What a cell has for its figures, in px. */
  widthPx: number;
  /** What it has room to say: what is staked, what it pays too, or both with their names. */
  says: 'least' | 'pays' | 'names';
}

/** How the cells stand of a table of so many columns; on a phone, which is `narrow`, it stands upright. */
export function wheelLayout(width: number, columns: number, narrow: boolean): WheelLayout {
  const upright = narrow || width < columns * LEAST_CELL;
  const across = upright ? WHEEL_ROWS : columns;
  const cellPx = (width - GAP * (across - 1)) / across;
  const besidePx = upright ? cellPx - HEAD_BESIDE : cellPx;
  return {
    upright,
    widthPx: Math.floor(besidePx / WIDTH_STEP) * WIDTH_STEP,
    says: besidePx >= NAMES_FROM ? 'names' : !upright && cellPx >= PAYS_FROM ? 'pays' : 'least',
  };
}
