import { ExactPoints } from './hundredths.ts';
import type { CellValue, ColumnKind } from './list.ts';

/** Excel's limit, in UTF-16 units. */
const CELL_MAX = 32_767;
/** Forbidden in XML 1.0, besides controls. */
const NO_XML = /[\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;
/** Excel reads `_x0041_` as A. */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const REPLACEMENT = '\uFFFD';

/** Replaces what XML forbids, escapes what Excel would decode, and truncates. */
function xlsxText(text: string): string {
  const sanitized = text.replace(NO_XML, REPLACEMENT);
  const cut =
    sanitized.length <= CELL_MAX ? sanitized : `${sanitized.slice(0, CELL_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  return cut.replace(ESCAPE, '_x005F_');
}

export function propertyText(text: string): string {
  return text.replace(NO_XML, REPLACEMENT).replace(CONTROLS, REPLACEMENT);
}

/** Excel keeps 15 digits of a number. Larger amounts become text. */
const MOST_POINTS = 1e13;

/** Excel has no time zones: a date cell shows the wall clock of the text. */
const DATES: Partial<Record<ColumnKind, RegExp>> = {
  time: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  day: /^\d{4}-\d\d-\d\d$/,
};
const NUMBER_FORMATS: Partial<Record<ColumnKind, string>> = {
  points: '#,##0.00',
  time: 'yyyy-mm-dd hh:mm:ss',
  day: 'yyyy-mm-dd',
};

export function numberFormatOf(kind: ColumnKind): { numFmt?: string } {
  const numFmt = NUMBER_FORMATS[kind];
  return numFmt === undefined ? {} : { numFmt };
}

export function xlsxCell(cell: CellValue, kind: ColumnKind): CellValue | Date {
  if (typeof cell === 'string') {
    return DATES[kind]?.test(cell)
      ? new Date(`${cell.replace(' ', 'T')}${kind === 'time' ? 'Z' : ''}`)
      : xlsxText(cell);
  }
  const isLong =
    (cell as unknown) instanceof ExactPoints || (typeof cell === 'number' && Math.abs(cell) >= MOST_POINTS);
  return isLong ? String(cell) : cell;
}
