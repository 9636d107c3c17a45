import { describe, expect, it } from 'vitest';
import { ROULETTE_SIZES, wheelBets } from './families/roulette.ts';
import { rulesFor } from './rules.ts';
import { neighboursOf, wheelOrder } from './wheel.ts';

const wheels = ROULETTE_SIZES.map((digits) => rulesFor({ gameId: 'wheel', family: 'roulette', digits }));

describe.each(wheels.map((rules) => ({ size: rules.outcomes.length, rules })))(
  'a wheel of $size',
  ({ size, rules }) => {
    const order = wheelOrder(rules);
    const colors = new Map(rules.outcomes.map(({ drawno, color }) => [drawno, color]));

    it('has each number once, red and black alternating except zeros', () => {
      expect([...order].toSorted()).toEqual(rules.outcomes.map(({ drawno }) => drawno).toSorted());
      const sameColored = order.filter(
        (drawno, place) => colors.get(drawno) === colors.get(order[(place + 1) % size]!),
      );
      expect(sameColored).toEqual([]);
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
  it('have the neighbors of real wheels', () => {
    expect(neighboursOf(wheels[1]!, '0')).toEqual(['3', '26', '0', '32', '15']);
    expect(neighboursOf(wheels[2]!, '00')).toEqual(['13', '1', '00', '27', '10']);
  });

  it('exist only for roulette', () => {
    const rules = rulesFor({ gameId: 'created', family: 'numbers', digits: 37 });
    expect(wheelBets(rules)).toEqual([]);
    expect(() => wheelOrder(rules)).toThrow(RangeError);
  });
});
