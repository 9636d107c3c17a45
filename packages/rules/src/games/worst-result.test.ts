import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES, builtInGame } from './catalogue.ts';
import type { GameRules, Result } from './game-rules.ts';
import { paysOf } from './pays.ts';
import { rulesFor } from './rules.ts';
import { paidBy } from './wins.ts';
import { worstResult } from './worst-result.ts';

const GAMES = [
  ...new Map(BUILT_IN_GAMES.map((game) => [`${game.family}/${game.digits}`, game])).values(),
  { gameId: 'made', family: 'numbers', digits: 150 } as const,
];

const paid = (rules: GameRules, stakes: ReadonlyMap<string, bigint>, result: Result, booster: number): bigint =>
  paidBy(rules, (key) => stakes.get(key) ?? 0n, result, booster);

/**
 * Tries all results. Choices are independent, so their gains over the first value add up. Tries one group at a time,
 * for speed.
 */
function mostByTrying(rules: GameRules, stakes: ReadonlyMap<string, bigint>, booster: number): bigint {
  const paidAt = (choice: number, value: number): bigint => {
    let at = 0;
    const result = rules.draw(() => (at++ === choice ? value : 0));
    const named =
      'winners' in result ? { winners: Object.fromEntries([Object.entries(result.winners)[choice]!]) } : result;
    return paid(rules, stakes, named, booster);
  };
  let most = paid(
    rules,
    stakes,
    rules.draw(() => 0),
    booster,
  );
  for (const [choice, values] of rules.choices.entries()) {
    const pays = values.map((_, value) => paidAt(choice, value));
    most += pays.reduce((worst, each) => (each > worst ? each : worst)) - pays[0]!;
  }
  return most;
}

const stakesOf = (rules: GameRules) => {
  const keys = [
    ...new Set(rules.choices.flat(2).flatMap((outcome) => rules.outcomeBets(outcome).map(({ key }) => key))),
  ];
  return fc
    .array(fc.tuple(fc.constantFrom(...keys), fc.bigInt({ min: 0n, max: 10n ** 15n })), { maxLength: 60 })
    .map((entries) => new Map(entries));
};

describe.each(GAMES)('the worst case in $gameId', (game) => {
  const own = rulesFor({ ...game, pays: null });
  const other = rulesFor({
    ...game,
    pays: Object.fromEntries(Object.keys(paysOf(own)).map((head, index) => [head, 133 + index])),
  });

  it('equals the costliest result', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(own, other).chain((rules) =>
          fc.record({
            rules: fc.constant(rules),
            stakes: stakesOf(rules),
            booster: fc.integer({ min: 1, max: rules.maxBooster }),
            numbers: fc.infiniteStream(fc.nat()),
          }),
        ),
        ({ rules, stakes, booster, numbers }) => {
          const worst = worstResult(rules, stakes, booster);
          expect(worst?.pays ?? 0n).toBe(mostByTrying(rules, stakes, booster));
          if (!worst) return;
          expect(rules.isResult(worst.result)).toBe(true);
          expect(paid(rules, stakes, worst.result, booster)).toBe(worst.pays);
          for (let tries = 0; tries < 5; tries++) {
            const result = rules.draw((n) => (numbers.next().value as number) % n);
            expect(paid(rules, stakes, result, booster)).toBeLessThanOrEqual(worst.pays);
          }
        },
      ),
      { numRuns: own.outcomes.length > 1000 ? 3 : 10 },
    );
  });
});

it('the worst case is the first of equal results, and none without payouts', () => {
  const rules = rulesFor(builtInGame('funtargetbingo')!);
  const stakes = new Map([
    ['9', 300n],
    ['4', 300n],
    ['2', 100n],
  ]);
  expect(worstResult(rules, stakes)).toEqual({ result: { drawno: '4' }, pays: 2700n });
  expect(worstResult(rules, stakes, 20)).toEqual({ result: { drawno: '4' }, pays: 54_000n });
  expect(worstResult(rules, new Map())).toBeNull();
  expect(worstResult(rules, new Map([['4', 0n]]))).toBeNull();
});

it("the worst card has its suit's color", () => {
  const rules = rulesFor(builtInGame('andarbahar')!);
  const stakes = new Map([
    ['rank:13', 100n],
    ['suit:spade', 100n],
    ['color:red', 1000n],
  ]);
  expect(worstResult(rules, stakes)).toEqual({
    result: { drawno: '13', suit: 'heart', color: 'red' },
    pays: 1200n + 1900n,
  });
});
