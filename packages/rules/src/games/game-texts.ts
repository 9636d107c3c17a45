import type { FamilyName } from './catalogue.ts';
import type { GameRules } from './game-rules.ts';

type GameFacts = {
  readonly count: number;
  readonly first: string;
  readonly last: string;
  /** True if outcomes have names instead of numbers. */
  readonly isNamed: boolean;
  /** Wheels: numbers besides zeros. */
  readonly table: number;
  readonly zeros: readonly string[];
};

/** `hint` follows the kind of bet on the board; `wins` is a sentence of the rules page. */
type BetText = { readonly hint: string; readonly wins: string };

type TypedText = { readonly text: string; readonly means: string };

type FamilyTexts = {
  readonly draws: (game: GameFacts) => string;
  /** Keyed by head. */
  readonly bets: Readonly<Record<string, (game: GameFacts) => BetText>>;
  readonly typed: (game: GameFacts) => readonly TypedText[];
};

const half = ({ table }: GameFacts): number => table / 2;
const zeroNames = ({ zeros }: GameFacts): string => zeros.join(' and ');

export type GameTexts = Readonly<Record<FamilyName, FamilyTexts>>;

export const GAME_TEXTS: GameTexts = {
  numbers: {
    draws: ({ count, first, last, isNamed }) =>
      isNamed
        ? `One of the ${count} on the board is drawn. Each is equally likely.`
        : `A number from ${first} to ${last} is drawn. Each is equally likely.`,
    bets: {
      number: ({ isNamed, count, first }) => ({
        hint: isNamed ? 'the one that is drawn' : 'the number that is drawn',
        wins: isNamed
          ? `You pick one of the ${count}. ${first} wins when ${first} is drawn.`
          : 'You pick one number. It wins when it is drawn.',
      }),
    },
    typed: ({ first, last, isNamed }) =>
      isNamed
        ? [
            { text: `${first}*5`, means: `5 units on ${first}` },
            { text: `${first}, ${last}=5`, means: `5 units each on ${first} and ${last}` },
          ]
        : [
            { text: `${last}*5`, means: `5 units on ${last}` },
            { text: `1, 2, 3=5`, means: '5 units each on 1, 2 and 3' },
            { text: '1-5*2', means: '2 units on each number from 1 to 5' },
          ],
  },
  roulette: {
    draws: ({ count, zeros, table }) =>
      `The ball falls into one of ${count} pockets: ${zeros.join(', ')} and 1 to ${table}. Each is equally likely. ` +
      `A bet on several numbers is one chip.`,
    bets: {
      straight: () => ({ hint: 'one number', wins: 'One number. 1 wins when 1 is drawn.' }),
      split: () => ({
        hint: 'two neighbors',
        wins: 'Two numbers that are neighbors on the table. 1-2 wins with 1 or 2.',
      }),
      street: () => ({ hint: 'a row of three', wins: 'The three numbers of a row. 1-2-3 wins with 1, 2 or 3.' }),
      corner: () => ({
        hint: 'four that meet',
        wins: 'Four numbers that meet in a corner. 1-2-4-5 wins with any of them.',
      }),
      sixline: () => ({
        hint: 'two rows',
        wins: 'The six numbers of two neighboring rows. 1-6 wins with any number from 1 to 6.',
      }),
      dozen: () => ({ hint: 'twelve in order', wins: 'Twelve numbers in order: 1 to 12, 13 to 24 or 25 to 36.' }),
      column: (game) => ({
        hint: 'every third number',
        wins: `One of the three columns of the table. Column 1 has 1, 4, 7 and so on to ${game.table - 2}.`,
      }),
      chance: (game) => ({
        hint: 'half of the table',
        wins:
          `Half of the numbers: red, black, odd, even, 1 to ${half(game)}, or ${half(game) + 1} to ${game.table}. ` +
          `It loses with ${zeroNames(game)}.`,
      }),
    },
    typed: ({ last }) => [
      { text: `${last}*5`, means: `5 units on ${last}` },
      { text: 'red*10', means: '10 units on red' },
      { text: 'split 1-2*5', means: '5 units on 1 and 2 together' },
      { text: 'column 1*5', means: '5 units on the first column' },
      {
        text: `neighbours ${last}*1`,
        means: `1 unit each on ${last} and the two numbers on each side of it on the wheel`,
      },
    ],
  },
  triple: {
    draws: () => 'A number from 000 to 999 is drawn. Each is equally likely.',
    bets: {
      triple: () => ({ hint: 'all three digits', wins: 'All three digits in order. 123 wins when 123 is drawn.' }),
      double: () => ({
        hint: 'the last two digits',
        wins: 'The last two digits. 23 wins with 023, 123, 223 and so on.',
      }),
      single: () => ({ hint: 'the last digit', wins: 'The last digit. 3 wins with every number that ends in 3.' }),
    },
    typed: () => [
      { text: '123*5', means: '5 units on Triple 123' },
      { text: '23*5', means: '5 units on Double 23' },
      { text: '3*5', means: '5 units on Single 3' },
      { text: 'perm 123*1', means: '1 unit on each of the six orders of 1, 2 and 3' },
    ],
  },
  andarbahar: {
    draws: () => 'One card of 52 is drawn. Each is equally likely.',
    bets: {
      rank: () => ({ hint: 'the rank, in any suit', wins: 'The rank of the card, in any suit. K wins with any king.' }),
      suit: () => ({ hint: 'the suit', wins: 'The suit of the card. ♠ wins with any spade.' }),
      color: () => ({ hint: 'red or black', wins: 'The color of the card. Red wins with any heart or diamond.' }),
    },
    typed: () => [
      { text: 'K*5', means: '5 units on the king' },
      { text: 'spade*5', means: '5 units on spades' },
      { text: 'red*10', means: '10 units on red' },
      { text: 'A, 10, Q=2', means: '2 units each on ace, 10 and queen' },
    ],
  },
  lottery3d: {
    draws: () => 'A number from 000 to 999 is drawn. Each is equally likely.',
    bets: {
      straight: () => ({ hint: '123 in this order', wins: 'Three digits in this order. 123 wins when 123 is drawn.' }),
      spbox: () => ({
        hint: '123 in any order',
        wins: 'Three different digits in any order. 123 wins with 123, 132, 213, 231, 312 and 321.',
      }),
      dpbox: () => ({
        hint: '112 in any order',
        wins: 'Three digits of which two are the same, in any order. 112 wins with 112, 121 and 211.',
      }),
      ap: () => ({
        hint: '12 as front, back or split pair',
        wins: 'Two digits as front, back or split pair. 12 wins with 125, 512 and 152. It is paid once, even if it is there twice.',
      }),
      fp: () => ({ hint: 'the first two digits', wins: 'The first two digits. 12 wins with 120 to 129.' }),
      bp: () => ({ hint: 'the last two digits', wins: 'The last two digits. 12 wins with 012, 112, 212 and so on.' }),
      sp: () => ({
        hint: 'the first and the last digit',
        wins: 'The first and the last digit. 12 wins with 102, 112, 122 and so on.',
      }),
    },
    typed: () => [
      { text: '123*5', means: '5 units on Straight 123' },
      { text: 'box 123*5', means: '5 units on 123 in any order' },
      { text: 'front 12*5', means: '5 units on Front Pair 12' },
      { text: 'perm 123*1', means: '1 unit on each of the six orders as Straight' },
      { text: '120-129*1', means: '1 unit on each number from 120 to 129' },
    ],
  },
  lottery4d: {
    draws: () =>
      'Thirty numbers are drawn: one in each hundred of the series 1000-1999, 3000-3999 and 5000-5999. ' +
      'In its hundred, each number is equally likely.',
    bets: {
      number: () => ({
        hint: 'the number drawn in its hundred',
        wins: 'Four digits. 1042 wins when 1042 is the number drawn in 1000-1099.',
      }),
    },
    typed: () => [
      { text: '1042*5', means: '5 units on 1042' },
      { text: 'sub 1200 42*5', means: '5 units on 1242' },
      { text: '3000-3009*1', means: '1 unit on each number from 3000 to 3009' },
      { text: '1042, 3042, 5042=2', means: '2 units each on 1042, 3042 and 5042' },
    ],
  },
  jodi: {
    draws: () =>
      'Three numbers from 00 to 99 are drawn: one for K50 Silver, one for K60 Gold and one for K70 Diamond. ' +
      'A bet counts for its own one only. Each number is equally likely.',
    bets: {
      andhar: () => ({ hint: 'the first digit', wins: 'The first digit. Andhar 4 wins with 40 to 49.' }),
      bahar: () => ({ hint: 'the second digit', wins: 'The second digit. Bahar 2 wins with 02, 12, 22 and so on.' }),
      jodi: () => ({ hint: 'both digits', wins: 'Both digits. Jodi 42 wins when 42 is drawn.' }),
    },
    typed: () => [
      { text: 'K60 42*5', means: '5 units on 42 in K60 Gold' },
      { text: 'K60 andhar 4*5', means: '5 units on the first digit 4 in K60 Gold' },
      { text: 'K50 12, 21, 33=5', means: '5 units each on 12, 21 and 33 in K50 Silver' },
    ],
  },
};

export function gameFacts({ outcomes }: GameRules): GameFacts {
  const zeros = outcomes.filter(({ drawno }) => Number(drawno) === 0).map(({ drawno }) => drawno);
  return {
    count: outcomes.length,
    first: outcomes[0]!.label,
    last: outcomes.at(-1)!.label,
    isNamed: outcomes.some(({ drawno, label }) => label !== drawno),
    table: outcomes.length - zeros.length,
    zeros,
  };
}
