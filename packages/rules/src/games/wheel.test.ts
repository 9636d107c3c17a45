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

    it('has each number once, red and black alternating except zeros', () => {
      expect([...order].toSorted()).toEqual(rules.outcomes.map(({ drawno }) => drawno).toSorted());
      const alike = order.filter((drawno, place) => colors.get(drawno) === colors.get(order[(place + 1) % size]!));
      expect(alike).toEqual([]);
    });

    it('has groups of the right sizes, each number once per kind', () => {
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

    it('finds neighbors around the wheel', () => {
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
  it('with equal numbers have equal groups', () => {
    const [, european, american] = wheels;
    expect(wheelGroups(european!)).toEqual(wheelGroups(american!));
  });

  it('have the neighbors of real wheels', () => {
    expect(neighboursOf(wheels[1]!, '0')).toEqual(['3', '26', '0', '32', '15']);
    expect(neighboursOf(wheels[2]!, '00')).toEqual(['13', '1', '00', '27', '10']);
  });

  it('exist only for roulette', () => {
    const rules = rulesFor({ gameId: 'created', family: 'numbers', digits: 37 });
    expect(wheelGroups(rules)).toEqual([]);
    expect(() => wheelOrder(rules)).toThrow(RangeError);
  });
});
