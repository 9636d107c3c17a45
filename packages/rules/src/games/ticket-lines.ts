/** `key` fully determines the bet. */
export interface StoredLine {
  readonly key: string;
  readonly qty: number;
}

/** Joins `key*quantity` by spaces; keys contain neither: `5*3 7*1`. */
export function linesText(lines: readonly StoredLine[]): string {
  return lines.map(({ key, qty }) => `${key}*${qty}`).join(' ');
}

/** Corrupted text yields lines without a bet, or quantity NaN. */
export function linesOf(text: string): StoredLine[] {
  return text.split(' ').map((line) => {
    const [key = '', qty] = line.split('*');
    return { key, qty: /^[1-9]\d{0,8}$/.test(qty ?? '') ? Number(qty) : NaN };
  });
}
