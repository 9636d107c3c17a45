import type { GameRules } from './game-rules.ts';
import { onceEach } from './once-each.ts';

/**
 * The numbers as they lie around a wheel, clockwise from 0, by how many there are: the European wheel of 37, the American one of 38, and an
 * order of our own for the small wheel of 13, for which there is no usual one. Red and black alternate on all of them.
 */
const ORDERS = new Map(
  [
    '0 1 8 3 10 5 2 7 4 9 6 12 11',
    '0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26',
    '0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2',
  ].map((order) => {
    const drawnos = order.split(' ');
    return [drawnos.length, drawnos] as const;
  }),
);

/** How many neighbours a number is laid with, on each of its sides. */
const NEIGHBOURS = 2;

/** Several straight numbers that are laid together: what each of them returns is what a number alone does. */
export type WheelGroup = {
  /** As the text of a bet names it: `red`, `dozen 2`. */
  name: string;
  /** As people read it. */
  title: string;
  /** Which of the rows of a table it belongs to: halves of the numbers in several ways, dozens, columns. */
  kind: 'half' | 'dozen' | 'column';
  drawnos: readonly string[];
};

/** The draw numbers of a wheel in the order in which they lie around it, clockwise from 0. Throws RangeError for what is no wheel. */
export function wheelOrder({ family, outcomes }: Pick<GameRules, 'family' | 'outcomes'>): readonly string[] {
  const order = family === 'roulette' ? ORDERS.get(outcomes.length) : undefined;
  if (!order) throw new RangeError(`There is no wheel of the family ${family} with ${outcomes.length} outcomes.`);
  return order;
}

/** A number with its neighbours on the wheel, as they lie; null where the wheel has no such number. */
export function neighboursOf(rules: Pick<GameRules, 'family' | 'outcomes'>, drawno: string): string[] | null {
  const order = wheelOrder(rules);
  const place = order.indexOf(drawno);
  if (place < 0) return null;
  return Array.from(
    { length: 2 * NEIGHBOURS + 1 },
    (_, index) => order[(place - NEIGHBOURS + index + order.length) % order.length]!,
  );
}

/**
 * The groups of a wheel's numbers: red, black, odd, even, low, high, the dozens (where there is more than one) and the columns. The zeros are in
 * none. No groups for games of other families. Made once for each rules, and shared: do not change them.
 */
export const wheelGroups = onceEach((rules: GameRules): readonly WheelGroup[] => {
  if (rules.family !== 'roulette') return [];
  const numbers = rules.outcomes.filter(({ drawno }) => Number(drawno) > 0);
  const half = numbers.length / 2;
  const group = (
    kind: WheelGroup['kind'],
    name: string,
    title: string,
    has: (number: number, color?: string) => boolean,
  ): WheelGroup => ({
    kind,
    name,
    title,
    drawnos: numbers.filter(({ drawno, color }) => has(Number(drawno), color)).map(({ drawno }) => drawno),
  });
  const dozens = numbers.length > 12 ? [1, 2, 3] : [];
  return [
    group('half', 'low', `1 to ${half}`, (number) => number <= half),
    group('half', 'even', 'Even', (number) => number % 2 === 0),
    group('half', 'red', 'Red', (_, color) => color === 'red'),
    group('half', 'black', 'Black', (_, color) => color === 'black'),
    group('half', 'odd', 'Odd', (number) => number % 2 === 1),
    group('half', 'high', `${half + 1} to ${numbers.length}`, (number) => number > half),
    ...dozens.map((dozen) =>
      group('dozen', `dozen ${dozen}`, `Dozen ${dozen}`, (number) => Math.ceil(number / 12) === dozen),
    ),
    ...[1, 2, 3].map((column) =>
      group('column', `column ${column}`, `Column ${column}`, (number) => number % 3 === column % 3),
    ),
  ];
});
