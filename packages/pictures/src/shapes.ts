/** The paints of all pictures; each client gives them their colours, once for each theme, as `--pic-red` and the like. */
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

/** One shape of a picture, on a grid of 48 × 48: a path, or a text whose baseline begins left of `x` by half its width. */
export interface Shape {
  /** What is inside; none for lines. */
  readonly fill?: Paint;
  /** The line along the path, and its width in units. */
  readonly stroke?: Paint;
  readonly width?: number;
  readonly d?: string;
  readonly text?: string;
  readonly x?: number;
  readonly y?: number;
  readonly size?: number;
  readonly transform?: string;
}

/** A picture: its shapes, the hindmost first. */
export type Picture = readonly Shape[];

/** What a picture shows: an outcome, as the panel's rows name it. */
export interface Pictured {
  readonly drawno: string;
  readonly label: string;
  readonly color?: string | null | undefined;
}

/** The picture of an outcome; undefined where the set has none of it. */
export type PictureOf = (outcome: Pictured) => Picture | undefined;

/** Every outline is two units wide: one pixel at a size of 24, nearly seven at 160. */
const OUTLINE = 2;
/** A text whose middle is to be at some height has its baseline lower by this part of its size: half the height of a capital. */
const MIDDLE = 0.36;

/** A filled shape with its outline. */
export const area = (fill: Paint, d: string): Shape => ({ fill, stroke: 'ink', width: OUTLINE, d });
/** A filled shape without one, for what lies inside another. */
export const patch = (fill: Paint, d: string): Shape => ({ fill, d });
/** A line. What stands alone is not of ink, which a dark page hides. */
export const line = (stroke: Paint, d: string, width = OUTLINE): Shape => ({ stroke, width, d });
/** A handle, a stem or a leg: a broad line with an outline. */
export const rod = (paint: Paint, d: string, width: number): Shape[] => [
  line('ink', d, width + 1.5 * OUTLINE),
  line(paint, d, width - OUTLINE / 4),
];
/** A number or a rank with its middle at a place. */
export const text = (fill: Paint, value: string, x: number, y: number, size: number): Shape => ({
  fill,
  text: value,
  x,
  y: y + size * MIDDLE,
  size,
});

/** The path of an ellipse. */
export const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
/** The path of a circle. */
export const circle = (x: number, y: number, radius: number): string => ellipse(x, y, radius, radius);

/** A shape seen in a mirror that stands upright in the middle of the picture. */
export const mirrored = (shape: Shape): Shape => ({ ...shape, transform: 'matrix(-1 0 0 1 48 0)' });
/** A shape on both sides of the middle. */
export const both = (shape: Shape): Shape[] => [shape, mirrored(shape)];
/** A shape as many times as said, around the middle of the picture or a point beneath it. */
export const around = (shape: Shape, times: number, y = 24): Shape[] =>
  Array.from({ length: times }, (_, index) => ({ ...shape, transform: `rotate(${(index * 360) / times} 24 ${y})` }));

/** A square with round corners that fills the picture: a die, a horse's silks. */
export const PLATE = 'M11 2h26a9 9 0 0 1 9 9v26a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Z';
