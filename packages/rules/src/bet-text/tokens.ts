import type { Meaning, Words } from './vocabulary.ts';

export type Token = {
  is: 'word' | 'times' | 'dash' | 'open' | 'close' | 'end';
  text: string;
  at: number;
};

const PART = /[\n\r;]|[()[\]{}]|[*×=]|[-–—]|[^\s,;()[\]{}*×=\-–—]+/g;

const SIGNS = new Map<string, Token['is']>([
  ...['\n', '\r', ';'].map((sign) => [sign, 'end'] as const),
  ...['*', '×', '='].map((sign) => [sign, 'times'] as const),
  ...['-', '–', '—'].map((sign) => [sign, 'dash'] as const),
  ...['(', '[', '{'].map((sign) => [sign, 'open'] as const),
  ...[')', ']', '}'].map((sign) => [sign, 'close'] as const),
]);

const TIMES = /^(.*?)(x)(\d*)$/i;
const WITH_NUMBER = /^(\D+)(\d+)$/;
const TAKES_NUMBER: readonly Meaning['is'][] = ['heads', 'tier', 'function', 'orders', 'within'];

/** `fp12` becomes `fp` and `12`; `123x5` becomes `123`, a times sign, `5`. */
export function tokensOf(text: string, { meaningOf }: Words): Token[] {
  const tokens: Token[] = [];
  const split = (word: string): [string, string] | null => {
    const [, name, number] = WITH_NUMBER.exec(word) ?? [];
    const meaning = name === undefined ? undefined : meaningOf(name);
    return meaning && TAKES_NUMBER.includes(meaning.is as Meaning['is']) ? [name!, number!] : null;
  };
  const isWord = (word: string): boolean => /^\d+$/.test(word) || meaningOf(word) !== undefined || split(word) !== null;
  const isTimes = (what: string, often: string): boolean => {
    if (what === '') return ['word', 'close'].includes(tokens.at(-1)?.is ?? '');
    return often !== '' && isWord(what);
  };
  const addWord = (word: string, at: number): void => {
    // A colon after a heading: `K60:12`.
    const colon = word.indexOf(':');
    if (colon > 0 && ['heads', 'tier'].includes(meaningOf(word.slice(0, colon))?.is ?? '')) {
      addWord(word.slice(0, colon), at);
      if (colon + 1 < word.length) addWord(word.slice(colon + 1), at + colon + 1);
      return;
    }
    const parts = meaningOf(word) === undefined ? split(word) : null;
    if (!parts) {
      tokens.push({ is: 'word', text: word, at });
      return;
    }
    tokens.push({ is: 'word', text: parts[0], at }, { is: 'word', text: parts[1], at: at + parts[0].length });
  };

  for (const { 0: part, index: at } of text.matchAll(PART)) {
    const signKind = SIGNS.get(part);
    const [, what = '', sign, often = ''] = (signKind ?? isWord(part)) ? [] : (TIMES.exec(part) ?? []);
    if (signKind) tokens.push({ is: signKind, text: part, at });
    else if (sign !== undefined && isTimes(what, often)) {
      if (what !== '') addWord(what, at);
      tokens.push({ is: 'times', text: sign, at: at + what.length });
      if (often !== '') tokens.push({ is: 'word', text: often, at: at + what.length + sign.length });
    } else addWord(part, at);
  }
  return tokens;
}
