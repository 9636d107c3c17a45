/** The longest text of a cell that Excel opens, in UTF-16 units. */
const CELL_MAX = 32_767;
/** Characters that XML 1.0 cannot hold, but for control characters: of a surrogate without its other half, U+FFFE and U+FFFF. */
const NO_XML = /[\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g;
/** A text that Excel reads as one character: `_x0041_` is A. */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const REPLACEMENT = '\uFFFD';

/** A text as the cell of an Excel file holds it: without what XML has no place for, read back as it stands, and no longer than Excel opens. */
export function xlsxText(text: string): string {
  const held = text.replace(NO_XML, REPLACEMENT);
  const cut = held.length <= CELL_MAX ? held : `${held.slice(0, CELL_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  return cut.replace(ESCAPE, '_x005F_');
}

/** A text as a property of an Excel file holds it. */
export function propertyText(text: string): string {
  return text.replace(NO_XML, REPLACEMENT).replace(CONTROLS, REPLACEMENT);
}
