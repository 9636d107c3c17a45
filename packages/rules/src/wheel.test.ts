import { describe, expect, it } from 'vitest';
import { ROULETTE_SIZES, rulesFor } from './rules.ts';
import { neighboursOf, wheelGroups, wheelOrder } from './wheel.ts';

const wheels = ROULETTE_SIZES.map((digits) => rulesFor({ gameId: 'wheel', family: 'roulette', digits }));

describe.each(wheels.map((rules) => ({ size: rules.outcomes.length, rules })))(
  'a wheel of $size',
  ({ size, rules }) => {
    const order = wheelOrder(rules);
    const colors = new Map(rules.outcomes.map(({ drawno, color }) => [drawno, color]));
    const groups = wheelGroups(rules);
    const numbers = size - (size === 38 ? 2 : 1);

    it('has each of its numbers once, red and black in turn but for the zeros', () => {
      expect([...order].toSorted()).toEqual(rules.outcomes.map(({ drawno }) => drawno).toSorted());
      const alike = order.filter((drawno, place) => colors.get(drawno) === colors.get(order[(place + 1) % size]!));
      expect(alike).toEqual([]);
    });

    it('has groups of the right sizes, and of each kind each number once', () => {
      const sizes: Record<string, number> = { half: numbers / 2, dozen: 12, column: numbers / 3 };
      for (const { kind, drawnos } of groups) expect(drawnos).toHaveLength(sizes[kind]!);
      for (const pair of [
        'low high',
        'odd even',
        'red black',
        'dozen 1/dozen 2/dozen 3',
        'column 1/column 2/column 3',
      ]) {
        const names = pair.includes('/') ? pair.split('/') : pair.split(' ');
        const together = groups.filter(({ name }) => names.includes(name)).flatMap(({ drawnos }) => drawnos);
        if (pair.startsWith('dozen') && size === 13) expect(together).toEqual([]);
        else
          expect(together.map(Number).toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: numbers }, (_, index) => index + 1),
          );
      }
    });

    it('tells the neighbours of each number as the wheel goes around', () => {
      for (const drawno of order) {
        const neighbours = neighboursOf(rules, drawno)!;
        expect(new Set(neighbours).size).toBe(5);
        expect(neighbours[2]).toBe(drawno);
        const next = order[(order.indexOf(drawno) + 1) % size]!;
        expect(neighboursOf(rules, next)).toEqual([...neighbours.slice(1), expect.any(String)]);
      }
      expect(neighboursOf(rules, '99')).toBeNull();
    });
  },
);

describe('wheels', () => {
  it('that have the same numbers group them alike', () => {
    const [, european, american] = wheels;
    expect(wheelGroups(european!)).toEqual(wheelGroups(american!));
  });

  it('have the neighbours that the real ones have', () => {
    expect(neighboursOf(wheels[1]!, '0')).toEqual(['3', '26', '0', '32', '15']);
    expect(neighboursOf(wheels[2]!, '00')).toEqual(['13', '1', '00', '27', '10']);
  });

  it('are of roulette alone', () => {
    const rules = rulesFor({ gameId: 'created', family: 'numbers', digits: 37 });
    expect(wheelGroups(rules)).toEqual([]);
    expect(() => wheelOrder(rules)).toThrow(RangeError);
  });
});
