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
