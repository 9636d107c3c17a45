import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boosterOdds } from '../fair/booster.ts';
import { BUILT_IN_GAMES } from './catalogue.ts';
import { generateDraw } from '../fair/fair.ts';
import { MAX_PAY, MAX_UNIT_PRICE, MIN_PAY, parsePays, paysInUnits, paysOf, withPays, type Pays } from './pays.ts';
import { baseReturn, rulesFor, type GameIdentity, type GameRules, type WinningBet } from './rules.ts';
import { winHundredths } from './wins.ts';

const GAMES: GameIdentity[] = [
  ...BUILT_IN_GAMES.filter(
    ({ family, digits }, index, all) =>
      all.findIndex((other) => other.family === family && other.digits === digits) === index,
  ),
  { gameId: 'created7', family: 'numbers', digits: 7 },
  { gameId: 'created1000', family: 'numbers', digits: 1000 },
];

const anyPays = (rules: GameRules): fc.Arbitrary<Pays> =>
  fc.record(Object.fromEntries(rules.heads.map(({ name }) => [name, fc.integer({ min: MIN_PAY, max: MAX_PAY })])));

const unpaid = (bets: readonly WinningBet[]): Pick<WinningBet, 'key' | 'head'>[] =>
  bets.map(({ key, head }) => ({ key, head }));

const line = { drawno: '7' };

describe.each(GAMES)('own pays of $gameId, $digits outcomes', (game) => {
  const rules = rulesFor(game);
  const first = rules.heads[0]!.name;

  it('change only payouts and returns', () => {
    fc.assert(
      fc.property(anyPays(rules), fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uuid(), (pays, seed, drawId) => {
        const own = rulesFor({ ...game, pays });
        expect(paysOf(own)).toEqual(pays);
        expect(own).toMatchObject({ family: rules.family, maxBooster: rules.maxBooster });
        expect(own.outcomes).toBe(rules.outcomes);
        expect(own.cardTypes).toBe(rules.cardTypes);
        expect(own.colors).toBe(rules.colors);
        expect(own.heads.map(({ name, label }) => ({ name, label }))).toEqual(
          rules.heads.map(({ name, label }) => ({ name, label })),
        );
        expect(own.parseBet(line)).toEqual(rules.parseBet(line));

        const weights = boosterOdds({ baseReturn: baseReturn(own), winPercentage: 95, max: own.maxBooster });
        const drawn = generateDraw({ rules: own, weights, seed, drawId });
        expect(drawn).toEqual(generateDraw({ rules, weights, seed, drawId }));
        expect(own.resultLabel(drawn.result)).toBe(rules.resultLabel(drawn.result));
        const winning = own.winningBets(drawn.result);
        expect(unpaid(winning)).toEqual(unpaid(rules.winningBets(drawn.result)));
        for (const bet of winning) expect(bet.payHundredths).toBe(pays[bet.head]);
        const outcome = own.outcomes[seed[0]! % own.outcomes.length]!;
        const bets = own.outcomeBets(outcome);
        expect(unpaid(bets)).toEqual(unpaid(rules.outcomeBets(outcome)));
        for (const bet of bets) expect(bet.payHundredths).toBe(pays[bet.head]);

        for (const [index, bet] of own.returns.entries()) {
          const { winning: wins, outcomes, probability } = rules.returns[index]!;
          const won = wins * pays[bet.bet]!;
          expect(bet).toEqual({
            bet: rules.heads[index]!.name,
            pay: pays[bet.bet]! / 100,
            winning: wins,
            outcomes,
            probability,
            return: won / (outcomes * 100),
            mark: won > outcomes * 100 ? 'above' : won * 10 < outcomes * 700 ? 'below' : null,
          });
        }
        expect(baseReturn(own)).toBe(Math.max(...own.returns.map((bet) => bet.return)));
      }),
      { numRuns: 25 },
    );
  });

  it('equal to the defaults yield the same rules', () => {
    const same = rulesFor({ ...game, pays: paysOf(rules) });
    expect(same.heads).toEqual(rules.heads);
    expect(same.returns).toEqual(rules.returns);
    expect(rulesFor({ ...game, pays: null })).toBe(rules);
  });

  it('are read from units with at most two decimals', () => {
    fc.assert(
      fc.property(anyPays(rules), (pays) => {
        expect(parsePays(rules, JSON.parse(JSON.stringify(paysInUnits(pays))))).toEqual({ ok: true, pays });
      }),
    );
  });

  it('are refused with a sentence for the wrong head', () => {
    const right = paysOf(rules);
    for (const wrong of [99, 0, -100, 150.5, MAX_PAY + 1, NaN, Infinity, '900', null, undefined]) {
      const pays = { ...right, [first]: wrong } as Pays;
      expect(() => withPays(rules, pays)).toThrow(
        new RangeError(`pays.${first}: Enter a pay from 1 to 10000 with at most 2 decimals.`),
      );
      expect(() => rulesFor({ ...game, pays })).toThrow(RangeError);
    }
    const { [first]: _, ...missing } = right;
    expect(() => rulesFor({ ...game, pays: missing })).toThrow(`pays.${first}`);
    expect(() => rulesFor({ ...game, pays: { ...right, other: 900 } })).toThrow('pays.other: The head must be');
    const polluted = { ...right, ...(JSON.parse('{"__proto__":900}') as object) };
    expect(() => rulesFor({ ...game, pays: polluted })).toThrow('pays.__proto__: The head must be');
    for (const wrong of [[], '', 'x', 7, false])
      expect(() => rulesFor({ ...game, pays: wrong as never })).toThrow('pays');

    for (const wrong of [0.99, 1.005, 10_000.01, '9', null, NaN])
      expect(parsePays(rules, { ...paysInUnits(right), [first]: wrong })).toEqual({
        ok: false,
        fields: { [`pays.${first}`]: 'Enter a pay from 1 to 10000 with at most 2 decimals' },
      });
    for (const wrong of [null, undefined, [], 9])
      expect(parsePays(rules, wrong)).toEqual({ ok: false, fields: { pays: expect.stringContaining(first) } });
  });
});

describe('limits of pays and prices', () => {
  it("keep the largest ticket's win below 2^63", () => {
    const [qty, lines, booster] = [1_000_000, 1_000n, 20];
    const price = BigInt(MAX_UNIT_PRICE);
    const product = price * BigInt(qty) * BigInt(MAX_PAY) * BigInt(booster);
    expect(product < 2n ** 63n).toBe(true);
    expect(lines * winHundredths({ unitPrice: price, qty, payHundredths: MAX_PAY, booster }) < 2n ** 63n).toBe(true);
  });

  it('keep returns exact', () => {
    const wheel = { gameId: 'gkroulette', family: 'roulette', digits: 37 } as const;
    const usual = paysOf(rulesFor(wheel));
    const at = (straight: number) => rulesFor({ ...wheel, pays: { ...usual, straight } }).returns[0]!;
    expect([at(3699), at(3700), at(3701)].map((bet) => bet.mark)).toEqual([null, null, 'above']);
    expect(at(3700).return).toBe(1);
    expect([at(2589), at(2590), at(2591)].map((bet) => bet.mark)).toEqual(['below', null, null]);
    expect(at(2590).return).toBe(0.7);
  });
});

it('caches a limited number of rules, including those in use', () => {
  const game = { gameId: 'funtargetbingo', family: 'numbers', digits: 10 } as const;
  const inUse = rulesFor({ ...game, pays: { number: 111 } });
  const idle = rulesFor({ ...game, pays: { number: 112 } });
  for (let pay = 1000; pay < 2000; pay++) {
    rulesFor({ ...game, pays: { number: pay } });
    rulesFor({ ...game, pays: { number: 111 } });
  }
  expect(rulesFor({ ...game, pays: { number: 111 } })).toBe(inUse);
  expect(rulesFor({ ...game, pays: { number: 112 } })).not.toBe(idle);
  expect(rulesFor({ ...game, pays: { number: 112 } }).returns).toEqual(idle.returns);
});
