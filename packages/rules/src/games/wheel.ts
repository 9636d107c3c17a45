import type { GameRules } from './game-rules.ts';
import { memoizeByObject } from '../memoize.ts';

/**
 * Clockwise from 0: European wheel (37), American wheel (38), and our own order for 13, which lacks a standard. Colors
 * alternate on all.
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

const NEIGHBOURS = 2;

/** Straight numbers bet together. Same return as a single number. */
export type WheelGroup = {
  /** Name in bet text: `red`, `dozen 2`. */
  name: string;
  title: string;
  kind: 'half' | 'dozen' | 'column';
  drawnos: readonly string[];
};

/** Clockwise from 0. Throws RangeError unless a wheel. */
export function wheelOrder({ family, outcomes }: Pick<GameRules, 'family' | 'outcomes'>): readonly string[] {
  const order = family === 'roulette' ? ORDERS.get(outcomes.length) : undefined;
  if (!order) throw new RangeError(`There is no wheel of the family ${family} with ${outcomes.length} outcomes.`);
  return order;
}

/** In wheel order. Null if the wheel lacks the number. */
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
 * Red, black, odd, even, low, high, dozens (if several) and columns. Zeros belong to none. Empty for other families.
 * Cached and shared: do not mutate.
 */
export const wheelGroups = memoizeByObject((rules: GameRules): readonly WheelGroup[] => {
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
