const BLOCKS = ' ▁▂▃▄▅▆▇█';

/** One chart: its title, a value for each bucket, and how a value is written beside the scale. */
export interface Series {
  readonly title: string;
  readonly values: readonly number[];
  readonly format: (value: number) => string;
}

/**
 * Draws values over time in rows of blocks, at most `width` characters wide, to be read without colour: the scale from 0 to the
 * highest value at the left, the time in seconds beneath. More values than there is room for are put together, the highest of each.
 */
export function chart({ title, values, format }: Series, bucketMs: number, width = 80, rows = 6): string {
  const most = Math.max(...values, 0);
  const scale = most > 0 ? most : 1;
  const labels = Array.from({ length: rows }, (_, row) =>
    row === 0 ? format(most) : row === rows - 1 ? format(0) : '',
  );
  const margin = Math.max(...labels.map((label) => label.length));
  const room = Math.max(8, width - margin - 2);
  const perColumn = Math.max(1, Math.ceil(values.length / room));
  const columns: number[] = [];
  for (let start = 0; start < values.length; start += perColumn)
    columns.push(Math.max(...values.slice(start, start + perColumn)));

  const lines = labels.map((label, row) => {
    const floor = rows - 1 - row;
    const cells = columns.map((value) => {
      const eighths = Math.round((value / scale) * rows * 8) - floor * 8;
      // What is above 0 is seen, however little it is.
      const least = floor === 0 && value > 0 ? 1 : 0;
      return BLOCKS[Math.min(8, Math.max(least, eighths))];
    });
    return `${label.padStart(margin)} │${cells.join('')}`.trimEnd();
  });
  const seconds = `${Math.round((values.length * bucketMs) / 1000)} s`;
  const axis = `${' '.repeat(margin)} └${'─'.repeat(columns.length)}`;
  const times = `${' '.repeat(margin)}  0${seconds.padStart(Math.max(seconds.length + 1, columns.length - 1))}`;
  return [title, ...lines, axis, times].join('\n');
}

/** A row of blocks: the last values, each as high as its share of the highest. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const most = Math.max(...shown, 1);
  return shown
    .map((value) => BLOCKS[value > 0 ? Math.max(1, Math.round((value / most) * 8)) : 0])
    .join('')
    .padEnd(width);
}
