import { SUITS, type FamilyName } from '../games/catalogue.ts';
import { joinNames } from '../games/families/bet-fields.ts';
import type { GameRules, Outcome } from '../games/game-rules.ts';
import { memoizeByObject } from '../memoize.ts';
import { wheelBets } from '../games/families/roulette.ts';
import { neighboursOf } from '../games/wheel.ts';

export type Meaning =
  /** The kind that accepts the number applies. */
  | { is: 'heads'; names: readonly string[] }
  | { is: 'tier'; series: string }
  /** `head` is set if only one kind fits. */
  | { is: 'outcome'; drawno: string; head: string | null }
  /** Maps a number to draw numbers of one kind, or null. */
  | { is: 'function'; head: string; drawnosOf: (digits: string) => readonly string[] | null; example: string }
  | { is: 'orders' }
  /** Following numbers may omit these leading digits (4D). */
  | { is: 'within'; field: 'series' | 'subseries' };

export type Words = {
  /** Matches whole words and prefixes of heads and tiers. `several`: ambiguous prefix. */
  meaningOf: (word: string) => Meaning | { is: 'several'; names: readonly string[] } | undefined;
  help: string;
  /** Suggestions for a misspelled word. */
  names: readonly string[];
};

/** Ignores case, spaces, and the emoji variant of suits. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[\s\uFE0F]/g, '');

const HEAD_ALIASES: Partial<Record<FamilyName, Readonly<Record<string, readonly string[]>>>> = {
  lottery3d: { box: ['spbox', 'dpbox'] },
  roulette: { line: ['sixline'] },
  jodi: { andar: ['andhar'], ander: ['andhar'], bahaar: ['bahar'], baahar: ['bahar'], pair: ['jodi'] },
  andarbahar: { rank: ['rank'], colour: ['color'], cardtype: ['suit'] },
};

/** Not read as prefixes: `and` is not `andhar`. */
const SPOKEN_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'on', 'to', 'at', 'all', 'for', 'each', 'se', 'ka']);

/** Dozens and columns take one number, so they end with it; other kinds apply to the rest of the line. */
const OF_ONE_NUMBER: readonly string[] = ['dozen', 'column'];

const RANK_NAMES: Readonly<Record<string, string>> = { A: 'ace', J: 'jack', Q: 'queen', K: 'king' };

const HELP: Readonly<Record<FamilyName, string>> = {
  numbers: 'Write a number of the game, such as 7*5',
  roulette:
    'Write a number or a bet by name: red, odd, low, dozen 1, column 1, split 1-2, street 1-3, corner 1-5, ' +
    'sixline 1-6 or neighbours 1, such as red*5',
  triple: 'Write one, two or three digits, such as 7*5, 23*5 or 123*5, or perm 123',
  andarbahar: 'Write a card, a suit or a color, such as K*5, spade*5 or red*5',
  lottery3d: 'Write three digits, or the kind of bet before its digits, such as 123*5, box 123*5 or fp 12*5',
  lottery4d: 'Write four digits, such as 1042*5, or sub 1000 42*5',
  jodi: 'Write the tier, then two digits, or andhar or bahar and one, such as K60 42*5 or K60 andhar 4*5',
};

function helpOf({ family, outcomes }: GameRules): string {
  const [{ drawno, label }, other] = [outcomes[0]!, outcomes.at(-1)!];
  if (family !== 'numbers' || label === drawno) return HELP[family];
  const isCard = lettered(label) !== label;
  return isCard
    ? `Write a card, such as ${label}*5 or ${lettered(label)}*5`
    : `Write a name of the board, such as ${label}*5 or ${other.label}*5`;
}

type Named = [name: string, meaning: Meaning];

export const wordsOf = memoizeByObject((rules: GameRules): Words => {
  const begun: Named[] = [...headWords(rules), ...tierWords(rules)];
  const whole = new Map<string, Meaning>(
    [...begun, ...operators(rules), ...wheelWords(rules), ...outcomeWords(rules)].map(([name, meaning]) => [
      plain(name),
      meaning,
    ]),
  );
  const meaningOf: Words['meaningOf'] = (word) => {
    const name = plain(word);
    const cached = whole.get(name);
    if (cached || name === '' || SPOKEN_WORDS.has(name)) return cached;
    const could = begun.filter(([each]) => plain(each).startsWith(name));
    const meanings = [...Map.groupBy(could, ([, meaning]) => JSON.stringify(meaning)).values()];
    if (meanings.length > 1) return { is: 'several', names: meanings.map(([first]) => first![0]) };
    return meanings[0]?.[0]![1];
  };
  const names = [...whole.keys()].filter((name) => name.length > 2);
  return { meaningOf, names, help: `${helpOf(rules)}.` };
});

function headWords({ family, heads }: GameRules): Named[] {
  const own = heads
    .filter(({ name }) => !OF_ONE_NUMBER.includes(name))
    .flatMap(({ name, label }): Named[] => {
      const meaning: Meaning = { is: 'heads', names: [name] };
      return [
        [name, meaning],
        [label, meaning],
      ];
    });
  const others = Object.entries(HEAD_ALIASES[family] ?? {});
  return [...own, ...others.map(([name, names]): Named => [name, { is: 'heads', names }])];
}

/** Tiers by name, or by the part after the digits: `K60GOLD`, `gold`. */
function tierWords({ family, outcomes }: GameRules): Named[] {
  if (family !== 'jodi') return [];
  const tiers = new Set(outcomes.map(({ series }) => series!));
  return [...tiers].flatMap((series): Named[] => {
    const meaning: Meaning = { is: 'tier', series };
    return [
      [series, meaning],
      [series.replace(/^\D*\d+/, ''), meaning],
    ];
  });
}

function operators({ family }: GameRules): Named[] {
  const orders: Named[] = ['perm', 'perms', 'permutation', 'rev', 'reverse'].map((name) => [name, { is: 'orders' }]);
  if (family === 'lottery4d')
    return [
      ...orders,
      ['series', { is: 'within', field: 'series' }],
      ['sub', { is: 'within', field: 'subseries' }],
      ['subseries', { is: 'within', field: 'subseries' }],
    ];
  return family === 'lottery3d' || family === 'triple' || family === 'jodi' ? orders : [];
}

function wheelWords(rules: GameRules): Named[] {
  if (rules.family !== 'roulette') return [];
  const bets = wheelBets(rules);
  const counted = (head: string, names: readonly string[]): Named[] => {
    const drawnosOf = (digits: string) =>
      bets.some(({ kind, drawno }) => kind === head && drawno === digits) ? [digits] : null;
    return names.map((name) => [name, { is: 'function', head, drawnosOf, example: `${head} 1` }]);
  };
  const neighbours: Meaning = {
    is: 'function',
    head: 'straight',
    drawnosOf: (digits) => neighboursOf(rules, digits),
    example: `neighbours ${rules.outcomes.at(-1)!.drawno}`,
  };
  return [
    ...bets.flatMap(({ kind, drawno }): Named[] =>
      kind === 'chance' ? [[drawno, { is: 'outcome', drawno, head: kind }]] : [],
    ),
    ...(bets.some(({ kind }) => kind === 'dozen') ? counted('dozen', ['dozen', 'doz', 'd']) : []),
    ...counted('column', ['column', 'col', 'c']),
    ...['neighbours', 'neighbors', 'neighbour', 'neighbor', 'n'].map((name): Named => [name, neighbours]),
  ];
}

function outcomeWords({ family, outcomes, cardTypes = [], colors = [] }: GameRules): Named[] {
  const named = (list: readonly Outcome[], head: string | null, namesOf: (outcome: Outcome) => readonly string[]) =>
    list.flatMap((outcome) =>
      namesOf(outcome)
        .filter((name) => !/^\d*$/.test(name))
        .map((name): Named => [name, { is: 'outcome', drawno: outcome.drawno, head }]),
    );
  if (family !== 'andarbahar') return named(outcomes, null, ({ label }) => [label, lettered(label)]);
  return [
    ...named(outcomes, 'rank', ({ label }) => [label, RANK_NAMES[label] ?? label]),
    ...named(cardTypes, 'suit', ({ drawno, label }) => [label, drawno, `${drawno}s`]),
    ...named(colors, 'color', ({ drawno }) => [drawno]),
  ];
}

function lettered(label: string): string {
  const suit = SUITS.find(({ symbol }) => label.endsWith(symbol));
  return suit ? label.slice(0, -suit.symbol.length) + suit.suit.charAt(0) : label;
}

export function severalText(word: string, names: readonly string[]): string {
  return `${word} could be ${joinNames(names)}: write more of it.`;
}
