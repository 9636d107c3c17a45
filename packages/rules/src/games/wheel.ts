import type { GameRules } from './game-rules.ts';

/**
 * Clockwise from 0: European wheel (37), American wheel (38), and our own order for 13, which has no standard. Colors
 * alternate.
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

/** Lists outcomes clockwise from 0. */
export function wheelOrder({ family, outcomes }: Pick<GameRules, 'family' | 'outcomes'>): readonly string[] {
  const order = family === 'roulette' ? ORDERS.get(outcomes.length) : undefined;
  if (!order) throw new RangeError(`There is no wheel of the family ${family} with ${outcomes.length} outcomes.`);
  return order;
}

/** Keeps the order of the wheel. Null if it lacks the number. */
export function neighboursOf(rules: Pick<GameRules, 'family' | 'outcomes'>, drawno: string): string[] | null {
  const order = wheelOrder(rules);
  const place = order.indexOf(drawno);
  if (place < 0) return null;
  return Array.from(
    { length: 2 * NEIGHBOURS + 1 },
    (_, index) => order[(place - NEIGHBOURS + index + order.length) % order.length]!,
  );
}
