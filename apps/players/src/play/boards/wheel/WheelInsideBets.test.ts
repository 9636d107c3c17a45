import { rulesFor } from '@drawhouse/rules/games/rules';
import { ROULETTE_SIZES, wheelBets } from '@drawhouse/rules/games/families/roulette';
import { describe, expect, it } from 'vitest';
import { spotPlace } from './WheelInsideBets.tsx';

const INSIDE = ['split', 'street', 'corner', 'sixline'];

describe.each(ROULETTE_SIZES)('the spots of a table of %i', (digits) => {
  const rules = rulesFor({ gameId: 'wheel', family: 'roulette', digits });
  const zeros = digits === 38 ? ['0', '00'] : ['0'];
  const bets = wheelBets(rules).filter(({ kind }) => INSIDE.includes(kind));

  it('of one kind have different centers, all on the table', () => {
    const last = (digits - zeros.length) / 3;
    for (const [kind, own] of Map.groupBy(bets, (bet) => bet.kind)) {
      const centers = own.map((bet) => {
        const { across, acrossSpan, along, alongSpan } = spotPlace(bet, zeros);
        expect(acrossSpan).toBeGreaterThan(0);
        expect(across >= 0 && across + acrossSpan <= 6 && along >= 0 && along + alongSpan - 1 <= last).toBe(true);
        return `${across + acrossSpan / 2} ${along + alongSpan / 2}`;
      });
      expect({ kind, centers: new Set(centers).size }).toEqual({ kind, centers: own.length });
    }
  });

  it('cover the numbers of their bet', () => {
    const of = (key: string) =>
      spotPlace(
        bets.find((bet) => bet.key === key)!,
        zeros,
      );
    expect(of('split:1-2')).toEqual({ across: 0, acrossSpan: 4, along: 1, alongSpan: 1 });
    expect(of('split:2-5')).toEqual({ across: 2, acrossSpan: 2, along: 1, alongSpan: 2 });
    expect(of('corner:5-6-8-9')).toEqual({ across: 2, acrossSpan: 4, along: 2, alongSpan: 2 });
    expect(of('split:0-2')).toEqual({ across: 2, acrossSpan: zeros.length === 2 ? 1 : 2, along: 0, alongSpan: 2 });
    if (zeros.length === 2) expect(of('split:0-00')).toEqual({ across: 0, acrossSpan: 6, along: 0, alongSpan: 1 });
  });
});
