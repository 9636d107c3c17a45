import type { CellValue } from '@drawhouse/contract/frame/list';

/** Text goes out in pieces of about so many characters. */
const PIECE_CHARS = 64 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Where a text begins, or a cell of it would where semicolons or tabs part cells, and a spreadsheet would take what follows for a formula; it
 * may pass over quotation marks before that.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s\p{Cf}"]*[=+\-@|＝＋－＠｜﹢﹣﹦﹫])|^(?=[\t\r\n])/gu;
/** What parts cells or rows in a spreadsheet of some country. */
const PARTS = /[",;\t\r\n]/;

/**
 * A cell of a CSV file. Numbers stay numbers, those below zero too. A text never becomes a formula: an apostrophe stands before it, as
 * OWASP advises, whatever the width of its first letter, and before what a spreadsheet that parts cells elsewhere would take for another cell.
 */
export function csvCell(value: CellValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = value.replace(FORMULA, "'");
  return text === value && !PARTS.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/** A CSV file in UTF-8, which a spreadsheet is told by the mark at its beginning. */
export async function* writeCsv(
  heads: readonly string[],
  lines: AsyncIterable<readonly CellValue[]>,
): AsyncGenerator<Uint8Array> {
  let pending = `${BYTE_ORDER_MARK}${heads.map(csvCell).join(',')}`;
  for await (const line of lines) {
    pending += `\r\n${line.map(csvCell).join(',')}`;
    if (pending.length < PIECE_CHARS) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  yield Buffer.from(pending);
}
