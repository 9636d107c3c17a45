import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panelCells, rowMaker, stakesByHead } from '../../panel/panel-rows.ts';
import { rulesFor } from '../rules.ts';
import { NumberStakes, shareOf } from '../shares.ts';
import { paidBy } from '../wins.ts';
import { worstResult } from '../worst-result.ts';
import { ROULETTE_SIZES, wheelBets } from './roulette.ts';

const WHEELS = ROULETTE_SIZES.map((size) => {
  const rules = rulesFor({ gameId: 'wheel', family: 'roulette', digits: size });
  return { size, rules, bets: wheelBets(rules), count: size === 13 ? 12 : 36 };
});

describe.each(WHEELS)('bets on a wheel of $size', ({ size, rules, bets, count }) => {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
  const keys = bets.map(({ key }) => key);
  const stakes = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), fc.bigInt(1n, 10n ** 9n)), { selector: ([key]) => key })
    .map((pairs) => new Map(pairs));
  const drawno = fc.constantFrom(...rules.outcomes.map((outcome) => outcome.drawno));

  it('win the count of numbers by their own n, times the stake', () => {
    for (const { key, numbers: covered } of bets)
      for (const outcome of rules.outcomes) {
        const pays = paidBy(rules, (each) => (each === key ? 100n : 0n), { drawno: outcome.drawno }, 1);
        const win = covered.includes(outcome.drawno) ? (BigInt(count) * 100n) / BigInt(covered.length) : 0n;
        expect({ key, drawno: outcome.drawno, pays }).toEqual({ key, drawno: outcome.drawno, pays: win });
        expect(count % covered.length).toBe(0);
      }
  });

  it('return the same for all kinds', () => {
    for (const { key } of bets) {
      const paid = rules.outcomes.map((outcome) => paidBy(rules, (each) => (each === key ? 100n : 0n), outcome, 1));
      expect({ key, sum: paid.reduce((sum, each) => sum + each) }).toEqual({ key, sum: BigInt(count) * 100n });
    }
    expect(new Set(rules.returns.map((bet) => bet.return))).toEqual(new Set([count / size]));
  });

  it('cover each number once per dozens, columns and pair of chances', () => {
    for (const group of [
      'low high',
      'odd even',
      'red black',
      'dozen:1 dozen:2 dozen:3',
      'column:1 column:2 column:3',
    ]) {
      const covered = bets.filter(({ key }) => group.split(' ').includes(key)).flatMap((bet) => bet.numbers);
      const expected = group.startsWith('dozen') && size === 13 ? [] : numbers;
      expect(covered.toSorted((a, b) => Number(a) - Number(b))).toEqual(expected);
    }
  });

  it('cover different numbers each, adjacent ones on the table', () => {
    expect(new Set(keys).size).toBe(keys.length);
    const sets = bets.filter(({ kind }) => !['chance', 'dozen', 'column'].includes(kind));
    expect(new Set(sets.map((bet) => bet.numbers.join('-'))).size).toBe(sets.length);
    const byKind = Map.groupBy(bets, ({ kind }) => kind);
    const rows = count / 3;
    const extra = size === 38 ? { split: 5, street: 3, corner: 0 } : { split: 3, street: 2, corner: 1 };
    expect(Object.fromEntries(Array.from(byKind, ([kind, of]) => [kind, of.length]))).toEqual({
      straight: size,
      split: rows * 2 + (rows - 1) * 3 + extra.split,
      street: rows + extra.street,
      corner: (rows - 1) * 2 + extra.corner,
      sixline: rows - 1,
      ...(count > 12 && { dozen: 3 }),
      column: 3,
      chance: 6,
    });
    const place = (number: string): [number, number] => [Math.ceil(Number(number) / 3), (Number(number) + 2) % 3];
    for (const { kind, numbers: covered } of sets.filter((bet) => Number(bet.numbers[0]) > 0)) {
      const [across, along] = [0, 1].map((axis) => {
        const places = covered.map((number) => place(number)[axis]!);
        return Math.max(...places) - Math.min(...places) + 1;
      });
      expect({ kind, area: across! * along! }).toEqual({ kind, area: covered.length });
    }
  });

  it('are parsed by number in any order, and by the ends of their rows', () => {
    for (const { key, kind, drawno: name, numbers: covered } of bets) {
      const parsed = { ok: true, key, drawno: name, head: kind };
      expect(rules.parseBet({ drawno: name, head: kind })).toMatchObject(parsed);
      if (!name.includes('-')) continue;
      expect(rules.parseBet({ drawno: covered.toReversed().join('-'), head: kind })).toMatchObject(parsed);
      if (Number(covered[0]) > 0)
        expect(rules.parseBet({ drawno: `${covered[0]}-${covered.at(-1)}`, head: kind })).toMatchObject(parsed);
      expect(rules.betOf(`${kind}:${covered.toReversed().join('-')}`)).toBeNull();
    }
    expect(rules.parseBet({ drawno: 'red' })).toMatchObject({ key: 'red', head: 'chance' });
    expect(rules.parseBet({ drawno: '1-5', head: 'split' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '1-2' })).toMatchObject({ ok: false, field: 'drawno' });
  });

  it('split their stake over their numbers to the hundredth, leftovers to the lowest', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bets), fc.bigInt(0n, 10n ** 15n), (bet, stake) => {
        const shares = rules.outcomes.flatMap((outcome) =>
          rules.outcomeBets(outcome).flatMap(({ key, share }) => (key === bet.key ? [shareOf(stake, share)] : [])),
        );
        expect(shares).toHaveLength(bet.numbers.length);
        expect(shares.reduce((sum, each) => sum + each, 0n)).toBe(stake);
        expect(shares).toEqual(shares.toSorted((a, b) => Number(b - a)));
        expect(shares[0]! - shares.at(-1)!).toBeLessThanOrEqual(1n);
      }),
    );
    const red = rules.outcomes.flatMap((outcome) =>
      rules.outcomeBets(outcome).flatMap(({ key, share }) => (key === 'red' ? [shareOf(100n, share)] : [])),
    );
    expect(red.slice(0, 5)).toEqual(size === 13 ? [17n, 17n, 17n, 17n, 16n] : [6n, 6n, 6n, 6n, 6n]);
    expect(red.at(-1)).toBe(size === 13 ? 16n : 5n);
  });

  it('add up to the collection on the panel, with payouts of whole stakes', () => {
    fc.assert(
      fc.property(stakes, (placed) => {
        const rowOf = rowMaker(rules, (key) => placed.get(key), Number);
        const rows = panelCells(rules).lists.data.map((cell) => rowOf(cell, null));
        const collection = [...placed.values()].reduce((sum, stake) => sum + stake, 0n);
        expect(rows.reduce((sum, row) => sum + BigInt(row.sum), 0n)).toBe(collection);
        for (const [index, row] of rows.entries()) {
          const outcome = rules.outcomes[index]!;
          expect(BigInt(row.pays)).toBe(paidBy(rules, (key) => placed.get(key) ?? 0n, outcome, 1));
          const kinds = stakesByHead(rules, outcome, (key) => placed.get(key) ?? 0n);
          expect(kinds.map(({ head }) => head.name)).toEqual(rules.heads.map(({ name }) => name));
          for (const { head, stake, wins } of kinds) expect(wins).toBe((stake * BigInt(head.payHundredths)) / 100n);
          expect(kinds.reduce((sum, { wins }) => sum + wins, 0n)).toBe(BigInt(row.pays));
        }
        const worst = Math.max(...rows.map((row) => row.pays));
        expect(worstResult(rules, placed)?.pays ?? 0n).toBe(BigInt(worst));
      }),
      { numRuns: 50 },
    );
  });

  it('leave room on a number up to its limit, exactly', () => {
    const limit = 5_000n;
    fc.assert(
      fc.property(stakes, fc.constantFrom(...keys), drawno, (placed, key, number) => {
        const small = new Map(Array.from(placed, ([each, stake]) => [each, stake % 3_000n]));
        const numbersNow = new NumberStakes(rules, small);
        const rowOf = (of: ReadonlyMap<string, bigint>): bigint[] => {
          const maker = rowMaker(rules, (each) => of.get(each), Number);
          return panelCells(rules).lists.data.map((cell) => BigInt(maker(cell, null).sum));
        };
        const most = (sums: readonly bigint[]): bigint => sums.reduce((a, b) => (b > a ? b : a));
        expect(numbersNow.fullest()).toBe(most(rowOf(small)));
        expect(numbersNow.leftOn(number, limit)).toBe(
          limit - rowOf(small)[rules.outcomes.findIndex((outcome) => outcome.drawno === number)]!,
        );
        const left = numbersNow.leftOn(key, limit);
        const covered = bets.find((bet) => bet.key === key)!.numbers;
        const mostOn = (stake: bigint): bigint => {
          const sums = rowOf(new Map(small).set(key, (small.get(key) ?? 0n) + stake));
          return most(sums.filter((_, index) => covered.includes(rules.outcomes[index]!.drawno)));
        };
        if (left >= 0n) expect(mostOn(left)).toBeLessThanOrEqual(limit);
        expect(mostOn(left + 1n)).toBeGreaterThan(limit);
        numbersNow.add(key, 777n);
        numbersNow.add(key, -777n);
        expect(numbersNow.leftOn(key, limit)).toBe(left);
      }),
      { numRuns: 100 },
    );
  });
});

it('names the bets as on the table', () => {
  const [, european] = WHEELS;
  const names = (kind: string): string[] => european!.bets.filter((bet) => bet.kind === kind).map(({ name }) => name);
  expect(names('chance')).toEqual(['1 to 18', 'Even', 'Red', 'Black', 'Odd', '19 to 36']);
  expect(names('dozen')).toEqual(['Dozen 1', 'Dozen 2', 'Dozen 3']);
  expect(names('corner').slice(0, 2)).toEqual(['Corner 0-1-2-3', 'Corner 1-2-4-5']);
  expect(names('sixline')[0]).toBe('Six line 1-6');
});
