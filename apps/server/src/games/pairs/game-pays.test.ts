import { describe, expect, it } from 'vitest';
import type { CallError } from '../../platform/http/http-errors.ts';
import { gamePays, readPays, readUnitPrice } from './game-pays.ts';

const CARDS = { game_key: 'andarbahar', family: 'andarbahar', digits: 13 } as const;

function fieldsOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as CallError).fields;
  }
}

describe("a game's pays", () => {
  it("are shown beside its family's", () => {
    const pays = { rank: 1250, suit: 380, color: 195 };
    expect(gamePays({ ...CARDS, pays })).toEqual([
      { head: 'rank', label: 'Card', pay: 12.5, default: 12 },
      { head: 'suit', label: 'Card type', pay: 3.8, default: 3.8 },
      { head: 'color', label: 'Color', pay: 1.95, default: 1.9 },
    ]);
    expect(gamePays({ ...CARDS, pays: null }).every((head) => head.pay === head.default)).toBe(true);
  });

  it("are stored in hundredths, and not at all if equal to the family's", () => {
    expect(readPays(CARDS, { color: 1.95, suit: 3.8, rank: 12.5 })).toEqual({ rank: 1250, suit: 380, color: 195 });
    expect(readPays(CARDS, { rank: 12, suit: 3.8, color: 1.9 })).toBeNull();
    expect(readPays(CARDS, null)).toBeNull();
  });

  it('are refused with the wrong head', () => {
    const wrong = 'Enter a pay from 1 to 10000 with at most 2 decimals';
    expect(fieldsOf(() => readPays(CARDS, { rank: 0.5, suit: '4', number: 9 }))).toEqual({
      'pays.rank': wrong,
      'pays.suit': wrong,
      'pays.color': wrong,
      'pays.number': 'The head must be rank, suit or color',
    });
    expect(fieldsOf(() => readPays(CARDS, [12]))).toEqual({ pays: 'Enter a pay for each of rank, suit, color' });
  });
});

it('a unit price is between a hundredth of a point and 100 points', () => {
  expect([0.01, 1, 2.5, 100].map((points) => readUnitPrice(points))).toEqual([1n, 100n, 250n, 10_000n]);
  for (const points of [0, -1, 0.005, 100.01, NaN, Infinity, '1', null, undefined])
    expect(fieldsOf(() => readUnitPrice(points))).toEqual({
      unitPrice: 'Enter a price from 0.01 to 100 points with at most 2 decimals',
    });
});
