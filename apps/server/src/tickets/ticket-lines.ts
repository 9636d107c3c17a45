/** A line as it is stored: `key` is the bet's key in the rules of the game, which tells all of it. */
export interface StoredLine {
  readonly key: string;
  readonly qty: number;
}

/** The lines of a ticket as the text that is stored: `key*quantity` of each, joined by spaces; keys hold neither. E.g. `5*3 7*1`. */
export function linesText(lines: readonly StoredLine[]): string {
  return lines.map(({ key, qty }) => `${key}*${qty}`).join(' ');
}

/** Reads the text back; what is no such text, changed by hand, gives lines without a bet or with the quantity NaN. */
export function linesOf(text: string): StoredLine[] {
  return text.split(' ').map((line) => {
    const [key = '', qty] = line.split('*');
    return { key, qty: /^[1-9]\d{0,8}$/.test(qty ?? '') ? Number(qty) : NaN };
  });
}

/** SQL for the lines of a ticket `t` as rows `l (key, qty)`, to stand in a FROM after it. */
export const LINES = `lateral (
  select split_part(line, '*', 1) as key, split_part(line, '*', 2)::bigint as qty from string_to_table(t.lines, ' ') as line) as l`;

/**
 * The same for the audit, to stand alone in a lateral FROM: a quantity that is none, which only a change by hand can have made, is null.
 * `offset 0` keeps each from being read once for each use.
 */
export const READ_LINES = `(
  select key, case when translate(qty, '0123456789', '') = '' and length(qty) between 1 and 9 then qty::bigint end as qty
  from (select split_part(line, '*', 1) as key, split_part(line, '*', 2) as qty from string_to_table(t.lines, ' ') as line offset 0) as parts
  offset 0) as l`;
