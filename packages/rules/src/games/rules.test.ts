import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES, FAMILIES } from './catalogue.ts';
import { returnMark } from './game-rules.ts';
import { baseReturn, rulesFor, type GameIdentity, type GameRules, type Outcome, type Result } from './rules.ts';

const GAMES: GameIdentity[] = [
  { gameId: 'funtargetbingo', family: 'numbers', digits: 10 },
  { gameId: 'luckycard12', family: 'numbers', digits: 12 },
  { gameId: 'created1', family: 'numbers', digits: 1 },
  { gameId: 'created7', family: 'numbers', digits: 7 },
  { gameId: 'miniroulette', family: 'roulette', digits: 13 },
  { gameId: 'gkroulette', family: 'roulette', digits: 37 },
  { gameId: 'roulette', family: 'roulette', digits: 38 },
  { gameId: 'triplefun', family: 'triple', digits: 1000 },
  { gameId: 'andarbahar', family: 'andarbahar', digits: 13 },
  { gameId: 'lottery3d', family: 'lottery3d', digits: 1000 },
  { gameId: 'lottery4d', family: 'lottery4d', digits: 3000 },
  { gameId: 'acqOpdpL', family: 'jodi', digits: 300 },
];

const anyDraw = (rules: GameRules): fc.Arbitrary<Result> =>
  fc.array(fc.nat(2 ** 31), { minLength: 32, maxLength: 32 }).map((choices) => rules.draw((n) => choices.pop()! % n));

const allCells = (rules: GameRules): Outcome[] => [
  ...rules.outcomes,
  ...(rules.cardTypes ?? []),
  ...(rules.colors ?? []),
];

describe('built-in games', () => {
  it("have the domain's keys, each once, with rules of the right size", () => {
    const keys = `
      funtargetbingo funtargetfullbhav funtargetnew lucky10fruit greenfuntimer grandchance
      titlisorrat titlisoratbrown fruit12 horse12 playsmart12 luckycard12 duskadum pFvIwZHj!
      pingpong1 zzqOpdpE pingpong2 ccqOpdpE luckycard16 wbzegyzA
      europeanroulette gkroulette roulette36 roulette3638 roulette funroulette miniroulette
      triplefun andarbahar lottery3d lottery4d acqOpdpL`;
    expect(BUILT_IN_GAMES.map((game) => game.gameId).toSorted()).toEqual(keys.trim().split(/\s+/).toSorted());
    expect(new Set(BUILT_IN_GAMES.map((game) => game.gameName)).size).toBe(BUILT_IN_GAMES.length);
    for (const game of BUILT_IN_GAMES) {
      const rules = rulesFor(game);
      expect(rules.family).toBe(game.family);
      expect(rules.outcomes).toHaveLength(game.digits);
      expect(Number(rules.outcomes[0]!.drawno)).toBe(game.family === 'lottery4d' ? 1000 : game.first);
      expect(game.labels?.length ?? game.digits).toBe(game.digits);
      expect(game.colors?.length ?? game.digits).toBe(game.digits);
      expect(game.intervalSeconds).toBeGreaterThanOrEqual(30);
    }
  });

  it('cover every family', () => {
    expect(new Set(BUILT_IN_GAMES.map((game) => game.family))).toEqual(new Set(FAMILIES));
  });

  it('refuse unknown sizes and families', () => {
    expect(() => rulesFor({ gameId: 'x', family: 'roulette', digits: 36 })).toThrow(RangeError);
    expect(() => rulesFor({ gameId: 'x', family: 'lottery3d', digits: 100 })).toThrow(RangeError);
    expect(() => rulesFor({ gameId: 'x', family: 'numbers', digits: 0 })).toThrow(RangeError);
    expect(() => rulesFor({ gameId: 'x', family: 'numbers', digits: 2.5 })).toThrow(RangeError);
    expect(() => rulesFor({ gameId: 'x', family: '__proto__' as never, digits: 10 })).toThrow(RangeError);
  });
});

describe.each(GAMES)('the rules of $gameId', (game) => {
  const rules = rulesFor(game);

  it('name every bet key once and parse each winning bet', () => {
    fc.assert(
      fc.property(anyDraw(rules), (result) => {
        const winning = rules.winningBets(result);
        expect(new Set(winning.map((bet) => bet.key)).size).toBe(winning.length);
        for (const { key, head, payHundredths } of winning) {
          const drawno = key.split(/[:|]/).at(-1)!;
          const series = key.includes('|') ? key.split('|')[0] : null;
          expect(rules.parseBet({ drawno, head, series })).toMatchObject({ ok: true, key, head });
          expect(rules.heads.find((known) => known.name === head)?.payHundredths).toBe(payHundredths);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('parse every bet by its key, which contains no spaces or asterisks', () => {
    const keys = new Set(allCells(rules).flatMap((cell) => rules.outcomeBets(cell).map((bet) => bet.key)));
    for (const key of keys) {
      expect(key).toMatch(/^[^\s*]+$/);
      const { drawno, head, series } = rules.betOf(key)!;
      const parsed = rules.parseBet({ drawno, head, series });
      expect(parsed).toEqual({ ok: true, ...rules.betOf(key) });
      expect(parsed).toMatchObject({ key });
    }
    for (const wrong of [
      '',
      '*',
      ':7',
      '7:',
      '|7',
      'no-such:7',
      'no-such',
      '07x',
      `${[...keys][0]} `,
      `x|${[...keys][0]}`,
    ])
      expect({ wrong, bet: rules.betOf(wrong) }).toEqual({ wrong, bet: null });
  });

  it('draw results that survive storage', () => {
    fc.assert(
      fc.property(anyDraw(rules), (result) => {
        const stored: unknown = JSON.parse(JSON.stringify(result));
        expect(rules.isResult(stored)).toBe(true);
        expect(rules.resultLabel(stored as Result)).not.toBe('');
      }),
      { numRuns: 50 },
    );
  });

  it('return exactly what counting all outcomes gives', () => {
    // Outcomes are equally likely within a group.
    const groups = Map.groupBy(allCells(rules), (cell) =>
      game.family === 'andarbahar' ? rules.outcomeBets(cell)[0]!.head : (cell.subseries ?? cell.series ?? ''),
    );
    const probabilities = new Map<string, Set<number>>(rules.heads.map((head) => [head.name, new Set()]));
    for (const cells of groups.values()) {
      const wins = new Map<string, { head: string; count: number }>();
      for (const { key, head } of cells.flatMap((cell) => rules.outcomeBets(cell))) {
        wins.set(key, { head, count: (wins.get(key)?.count ?? 0) + 1 });
      }
      for (const { head, count } of wins.values()) probabilities.get(head)!.add(count / cells.length);
    }
    expect(rules.returns.map((bet) => bet.bet)).toEqual(rules.heads.map((head) => head.name));
    for (const bet of rules.returns) {
      expect([...probabilities.get(bet.bet)!]).toEqual([bet.probability]);
      expect(bet.return).toBeCloseTo(bet.probability * bet.pay, 12);
      expect(bet.mark).toBe(returnMark(bet.return));
    }
  });

  it('refuse unknown heads, series and draw numbers, naming the field', () => {
    const series = game.family === 'jodi' ? 'K60GOLD' : null;
    const head = rules.heads[0]!.name;
    const drawno =
      { triple: '123', lottery3d: '123', lottery4d: '1042', jodi: '4' }[game.family as string] ??
      rules.outcomes[0]!.drawno;
    expect(rules.parseBet({ drawno, head, series })).toMatchObject({ ok: true });
    expect(rules.parseBet({ drawno, head: 'no-such', series })).toMatchObject({ ok: false, field: 'head' });
    expect(rules.parseBet({ drawno, head, series: 'no-such' })).toMatchObject({ ok: false, field: 'series' });
    expect(rules.parseBet({ drawno, head, series, subseries: 'no-such' })).toMatchObject({
      ok: false,
      field: 'subseries',
    });
    for (const wrong of ['', ' 1', '-1', '1e1', '99999', 1.5, -1, NaN, 1e21, null, {}, undefined]) {
      expect(rules.parseBet({ drawno: wrong as string, head, series })).toMatchObject({ ok: false, field: 'drawno' });
    }
  });

  it('refuse invalid results', () => {
    for (const wrong of [
      null,
      '',
      7,
      [],
      {},
      { drawno: 'x' },
      { drawno: 7 },
      { winners: {} },
      { winners: { x: '1' } },
    ]) {
      expect(rules.isResult(wrong)).toBe(false);
    }
    for (const wrong of [undefined, null, '', 'x', '[]', '[{}]', '{}', [], -1, 1e9]) {
      const parsed = rules.parseResult({ result: wrong, color: 'red', type: 'heart' });
      expect(parsed).toMatchObject({ ok: false, field: 'result' });
    }
    expect(() => rules.winningBets({ drawno: 'x' })).toThrow(RangeError);
    expect(() => rules.resultLabel({ winners: { x: '1' } })).toThrow(RangeError);
  });
});

describe('the base return', () => {
  it("is the game's highest return, so no bet exceeds the targeted percentage", () => {
    expect(baseReturn(rulesFor({ gameId: 'funtargetnew', family: 'numbers', digits: 10 }))).toBe(0.9);
    expect(baseReturn(rulesFor({ gameId: 'andarbahar', family: 'andarbahar', digits: 13 }))).toBe(0.95);
    expect(baseReturn(rulesFor({ gameId: 'lottery3d', family: 'lottery3d', digits: 1000 }))).toBe(1.68);
    expect(baseReturn(rulesFor({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 }))).toBe(5);
  });
});
