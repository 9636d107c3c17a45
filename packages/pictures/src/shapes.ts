export type Paint =
  | 'ink'
  | 'paper'
  | 'red'
  | 'orange'
  | 'yellow'
  | 'green'
  | 'blue'
  | 'purple'
  | 'pink'
  | 'brown'
  | 'grey'
  | 'black'
  | 'wheel-red'
  | 'wheel-black'
  | 'wheel-green';

/** Drawn on a 48 × 48 grid. Text is centered on `x`. */
export interface Shape {
  readonly fill?: Paint;
  readonly stroke?: Paint;
  readonly width?: number;
  readonly d?: string;
  readonly text?: string;
  readonly x?: number;
  readonly y?: number;
  readonly size?: number;
  readonly transform?: string;
}

export type Picture = readonly Shape[];

export interface Pictured {
  readonly drawno: string;
  readonly label: string;
  readonly color?: string | null | undefined;
}

/** Undefined if the set lacks the outcome. */
export type PictureOf = (outcome: Pictured) => Picture | undefined;

/** Width in units: one pixel at size 24, nearly seven at 160. */
const OUTLINE = 2;
/** Distance from middle to baseline, as a fraction of text size: half a capital's height. */
const MIDDLE = 0.36;

export const area = (fill: Paint, d: string): Shape => ({ fill, stroke: 'ink', width: OUTLINE, d });
export const patch = (fill: Paint, d: string): Shape => ({ fill, d });
/** A line of ink alone is invisible on dark pages. */
export const line = (stroke: Paint, d: string, width = OUTLINE): Shape => ({ stroke, width, d });
export const rod = (paint: Paint, d: string, width: number): Shape[] => [
  line('ink', d, width + 1.5 * OUTLINE),
  line(paint, d, width - OUTLINE / 4),
];
export const text = (fill: Paint, value: string, x: number, y: number, size: number): Shape => ({
  fill,
  text: value,
  x,
  y: y + size * MIDDLE,
  size,
});

export const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
export const circle = (x: number, y: number, radius: number): string => ellipse(x, y, radius, radius);

/** Mirrors at the vertical center line. */
export const mirrored = (shape: Shape): Shape => ({ ...shape, transform: 'matrix(-1 0 0 1 48 0)' });
export const both = (shape: Shape): Shape[] => [shape, mirrored(shape)];
export const around = (shape: Shape, times: number, y = 24): Shape[] =>
  Array.from({ length: times }, (_, index) => ({ ...shape, transform: `rotate(${(index * 360) / times} 24 ${y})` }));

export const PLATE = 'M11 2h26a9 9 0 0 1 9 9v26a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Z';
