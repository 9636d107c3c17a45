import { describe, expect, it } from 'vitest';
import { BUILT_IN_GAMES, builtInGame } from '../catalogue.ts';
import { rulesFor, type GameRules } from '../rules.ts';

const rulesOf = (gameId: string): GameRules => rulesFor(builtInGame(gameId)!);
const declare = (rules: GameRules, result: unknown, color?: string, type?: string) =>
  rules.parseResult({ result, color, type });
const keys = (rules: GameRules, result: Parameters<GameRules['winningBets']>[0]): string[] =>
  rules.winningBets(result).map((bet) => bet.key);

describe('numbers', () => {
  it('pay as in the domain', () => {
    const pays = new Map([
      [10, 900],
      [12, 1000],
      [16, 1400],
    ]);
    for (const game of BUILT_IN_GAMES.filter(({ family }) => family === 'numbers')) {
      expect(rulesFor(game).heads[0]!.payHundredths).toBe(pays.get(game.digits));
    }
  });

  it('return at most 90 % for other sizes, within one unit', () => {
    for (let digits = 2; digits <= 1000; digits++) {
      const rules = rulesFor({ gameId: 'created', family: 'numbers', digits });
      const pay = rules.returns[0]!.pay;
      expect(pay * 10).toBeLessThanOrEqual(digits * 9);
      expect((pay + 1) * 10).toBeGreaterThan(digits * 9);
    }
    expect(rulesFor({ gameId: 'created', family: 'numbers', digits: 1 }).returns[0]).toMatchObject({
      pay: 1,
      return: 1,
    });
  });

  it('win only with the drawn number', () => {
    const rules = rulesOf('titlisorrat');
    for (const { drawno } of rules.outcomes) expect(keys(rules, { drawno })).toEqual([drawno]);
    expect(rules.parseBet({ drawno: 0 })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: 12 })).toMatchObject({ ok: true, key: '12', drawno: '12', head: 'number' });
    expect(rules.parseBet({ drawno: '07' })).toMatchObject({ ok: false, field: 'drawno' });
  });

  it('have the names and colors of their tiles', () => {
    expect(rulesOf('titlisorrat').resultLabel({ drawno: '3' })).toBe('3 Sun');
    expect(rulesOf('funtargetbingo').resultLabel({ drawno: '7' })).toBe('7');
    expect(rulesOf('luckycard12').outcomes[5]).toEqual({ drawno: '6', label: 'Q♥', color: 'red' });
    expect(
      rulesOf('luckycard16')
        .outcomes.map((card) => card.label)
        .join(' '),
    ).toBe('A♠ A♥ A♦ A♣ K♠ K♥ K♦ K♣ Q♠ Q♥ Q♦ Q♣ J♠ J♥ J♦ J♣');
  });
});

describe('roulette', () => {
  it('has the colors of real wheels', () => {
    const colored = (gameId: string, color: string): string =>
      rulesOf(gameId)
        .outcomes.filter((cell) => cell.color === color)
        .map((cell) => cell.drawno)
        .join(' ');
    expect(colored('europeanroulette', 'red')).toBe('1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36');
    expect(colored('europeanroulette', 'black')).toBe('2 4 6 8 10 11 13 15 17 20 22 24 26 28 29 31 33 35');
    expect(colored('europeanroulette', 'green')).toBe('0');
    expect(colored('funroulette', 'green')).toBe('0 00');
    expect(colored('miniroulette', 'red')).toBe('1 3 5 7 9 12');
    expect(rulesOf('miniroulette').outcomes).toHaveLength(13);
  });

  it('distinguishes 0 and 00', () => {
    const rules = rulesOf('roulette');
    expect(rules.parseBet({ drawno: '00' })).toMatchObject({ ok: true, key: '00' });
    expect(rules.parseBet({ drawno: 0, head: 'straight' })).toMatchObject({ ok: true, key: '0' });
    expect(keys(rules, { drawno: '00' })).toEqual([
      '00',
      'split:0-00',
      'split:00-2',
      'split:00-3',
      'street:0-00-2',
      'street:00-2-3',
    ]);
    expect(rulesOf('gkroulette').parseBet({ drawno: '00' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(declare(rules, '00')).toEqual({ ok: true, result: { drawno: '00' } });
  });

  it('pays 36 straight up, 12 on the small wheel', () => {
    expect(rulesOf('roulette').returns[0]).toMatchObject({ bet: 'straight', pay: 36, probability: 1 / 38 });
    expect(rulesOf('miniroulette').returns[0]).toMatchObject({ pay: 12, probability: 1 / 13 });
  });
});

describe('triple', () => {
  it('wins with the number, its last two digits or its last digit', () => {
    const rules = rulesOf('triplefun');
    for (let number = 0; number < 1000; number++) {
      const pad = (value: number, width: number): string => String(value).padStart(width, '0');
      expect(rules.winningBets({ drawno: pad(number, 3) })).toEqual([
        { key: `triple:${pad(number, 3)}`, head: 'triple', payHundredths: 90000 },
        { key: `double:${pad(number % 100, 2)}`, head: 'double', payHundredths: 9000 },
        { key: `single:${number % 10}`, head: 'single', payHundredths: 900 },
      ]);
    }
  });

  it('pads numbers, but requires full-width text', () => {
    const rules = rulesOf('triplefun');
    expect(rules.parseBet({ drawno: 7, head: 'double' })).toMatchObject({ ok: true, key: 'double:07' });
    expect(rules.parseBet({ drawno: '7', head: 'double' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '123' })).toMatchObject({ ok: false, field: 'head' });
    expect(declare(rules, 7)).toEqual({ ok: true, result: { drawno: '007' } });
  });
});

describe('andarbahar', () => {
  const rules = rulesOf('andarbahar');

  it('wins with rank, suit and color of the card', () => {
    for (const { drawno } of rules.outcomes) {
      for (const [suit, color] of [
        ['spade', 'black'],
        ['heart', 'red'],
        ['diamond', 'red'],
        ['club', 'black'],
      ] as const) {
        expect(rules.winningBets({ drawno, suit, color })).toEqual([
          { key: `rank:${drawno}`, head: 'rank', payHundredths: 1200 },
          { key: `suit:${suit}`, head: 'suit', payHundredths: 380 },
          { key: `color:${color}`, head: 'color', payHundredths: 190 },
        ]);
      }
    }
  });

  it("requires a complete declared card with its suit's color", () => {
    expect(declare(rules, '13', 'black', 'spade')).toEqual({
      ok: true,
      result: { drawno: '13', suit: 'spade', color: 'black' },
    });
    expect(declare(rules, '14', 'black', 'spade')).toMatchObject({ ok: false, field: 'result' });
    expect(declare(rules, '13', undefined, 'spade')).toMatchObject({ ok: false, field: 'color' });
    expect(declare(rules, '13', 'black')).toMatchObject({ ok: false, field: 'type' });
    expect(declare(rules, '13', 'red', 'spade')).toMatchObject({ ok: false, field: 'color' });
    expect(rules.isResult({ drawno: '13', suit: 'spade', color: 'red' })).toBe(false);
    expect(rules.resultLabel({ drawno: '13', suit: 'spade', color: 'black' })).toBe('K♠ black');
  });

  it('returns 95 % on suit and color', () => {
    expect(rules.returns.map((bet) => bet.return)).toEqual([12 / 13, 0.95, 0.95]);
  });
});

describe('lottery3d', () => {
  const rules = rulesOf('lottery3d');

  const wins: Record<string, (bet: string, drawn: string) => boolean> = {
    straight: (bet, drawn) => bet === drawn,
    spbox: (bet, drawn) => orders(bet).has(drawn),
    dpbox: (bet, drawn) => orders(bet).has(drawn),
    fp: ([a, b], drawn) => drawn[0] === a && drawn[1] === b,
    bp: ([a, b], drawn) => drawn[1] === a && drawn[2] === b,
    sp: ([a, b], drawn) => drawn[0] === a && drawn[2] === b,
    ap: (bet, drawn) => ['fp', 'bp', 'sp'].some((head) => wins[head]!(bet, drawn)),
  };

  function orders([a, b, c]: string): Set<string> {
    return new Set([`${a}${b}${c}`, `${a}${c}${b}`, `${b}${a}${c}`, `${b}${c}${a}`, `${c}${a}${b}`, `${c}${b}${a}`]);
  }

  it('wins by every head as in the domain, for every bet and number', () => {
    const drawnNumbers = rules.outcomes.map((outcome) => outcome.drawno);
    const winningKeys = new Map(drawnNumbers.map((drawno) => [drawno, new Set(keys(rules, { drawno }))]));
    for (const { name } of rules.heads) {
      const bets = new Map<string, string>();
      for (const text of [...drawnNumbers, ...drawnNumbers.slice(0, 100).map((drawno) => drawno.slice(1))]) {
        const bet = rules.parseBet({ drawno: text, head: name });
        if (bet.ok) bets.set(bet.key, text);
      }
      expect(bets.size).toBe({ straight: 1000, spbox: 120, dpbox: 90 }[name] ?? 100);
      for (const [key, bet] of bets) {
        const byKey = drawnNumbers.filter((drawno) => winningKeys.get(drawno)!.has(key));
        const byWords = drawnNumbers.filter((drawno) => wins[name]!(bet, drawno));
        expect(byKey).toEqual(byWords);
      }
    }
  });

  it('pays as specified; ap returns 168 %', () => {
    expect(Object.fromEntries(rules.returns.map((bet) => [bet.bet, [bet.pay, bet.return, bet.mark]]))).toEqual({
      straight: [900, 0.9, null],
      spbox: [150, 0.9, null],
      dpbox: [300, 0.9, null],
      ap: [60, 1.68, 'above'],
      fp: [90, 0.9, null],
      bp: [90, 0.9, null],
      sp: [90, 0.9, null],
    });
    expect(rules.maxBooster).toBe(2);
  });

  it('refuses boxes with unsuitable digits', () => {
    expect(rules.parseBet({ drawno: '112', head: 'spbox' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '123', head: 'dpbox' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '111', head: 'dpbox' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '123', head: 'fp' })).toMatchObject({ ok: false, field: 'drawno' });
    expect(rules.parseBet({ drawno: '321', head: 'spbox' })).toMatchObject({ ok: true, key: 'spbox:123' });
    expect(declare(rules, '')).toMatchObject({ message: 'Please select a result first.' });
  });
});

describe('lottery4d', () => {
  const rules = rulesOf('lottery4d');

  it('has three series of ten sub-series of a hundred', () => {
    expect([...new Set(rules.outcomes.map((outcome) => outcome.series))]).toEqual(['1000', '3000', '5000']);
    const bySubseries = Map.groupBy(rules.outcomes, (outcome) => outcome.subseries);
    expect(bySubseries.size).toBe(30);
    for (const [subseries, outcomes] of bySubseries) {
      expect(outcomes.map(({ drawno }) => Number(drawno) - Number(subseries))).toEqual([...Array(100).keys()]);
    }
  });

  it('draws a winner for each sub-series', () => {
    const result = rules.draw(() => 42) as { winners: Record<string, string> };
    expect(Object.keys(result.winners)).toHaveLength(30);
    expect(keys(rules, result)).toContain('5942');
    expect(rules.winningBets(result).every((bet) => bet.payHundredths === 9000)).toBe(true);
    expect(rules.resultLabel(result)).toBe('1042, 1142, 1242 + 27 more');
  });

  it('derives series and sub-series from the number and refuses others', () => {
    const bet = { ok: true, key: '1042', series: '1000', subseries: '1000' };
    expect(rules.parseBet({ drawno: 1042 })).toMatchObject(bet);
    expect(rules.parseBet({ drawno: '1042', series: '1000-1999', subseries: '1000-1099' })).toMatchObject(bet);
    expect(rules.parseBet({ drawno: '1042', series: 3000 })).toMatchObject({ ok: false, field: 'series' });
    expect(rules.parseBet({ drawno: '1042', subseries: 1100 })).toMatchObject({ ok: false, field: 'subseries' });
    expect(rules.parseBet({ drawno: '2042' })).toMatchObject({ ok: false, field: 'drawno' });
  });

  it('accepts declared results for some sub-series; others have no winner', () => {
    const list = [
      { series: '1000', results: [{ subseries: '1000', drawno: '1042', sum: 5 }] },
      { series: '5000', results: [{ subseries: 5900, drawno: 5999, sum: 0 }] },
    ];
    const result = { winners: { '1000': '1042', '5900': '5999' } };
    expect(declare(rules, JSON.stringify(list))).toEqual({ ok: true, result });
    expect(declare(rules, list)).toEqual({ ok: true, result });
    expect(keys(rules, result)).toEqual(['1042', '5999']);
    expect(rules.resultLabel(result)).toBe('1042, 5999');
  });

  it('refuses two numbers for a sub-series and numbers of another', () => {
    const two = [
      { subseries: '1000', drawno: '1042' },
      { subseries: '1000', drawno: '1043' },
    ];
    expect(declare(rules, [{ series: '1000', results: two }])).toMatchObject({ ok: false, field: 'result' });
    expect(declare(rules, [{ series: '1000', results: [{ subseries: '1100', drawno: '1042' }] }])).toMatchObject({
      ok: false,
      message: '1042 is in the sub-series 1000.',
    });
    expect(rules.isResult({ winners: { '1100': '1042' } })).toBe(false);
    expect(rules.isResult({ winners: { '1000': '1042', '2000': '2042' } })).toBe(false);
    for (const odd of [{ toString: 1 }, { toString: 1, valueOf: 1 }, [['1000']], true]) {
      const refused = { ok: false, field: 'result' };
      expect(declare(rules, [{ series: odd, results: [{ drawno: '1042' }] }])).toMatchObject(refused);
      expect(declare(rules, [{ results: [{ subseries: odd, drawno: '1042' }] }])).toMatchObject(refused);
    }
    expect(declare(rules, '[{"series":"1000","results":[]}]')).toMatchObject({
      message: 'Please select at least one result.',
    });
  });
});

describe('jodi', () => {
  const rules = rulesOf('acqOpdpL');

  it('wins with first digit, second digit or number of each tier', () => {
    for (const { series, drawno } of rules.outcomes) {
      expect(rules.winningBets({ winners: { [series!]: drawno } })).toEqual([
        { key: `${series}|andhar:${Math.floor(Number(drawno) / 10)}`, head: 'andhar', payHundredths: 5000 },
        { key: `${series}|bahar:${Number(drawno) % 10}`, head: 'bahar', payHundredths: 5000 },
        { key: `${series}|jodi:${drawno}`, head: 'jodi', payHundredths: 5000 },
      ]);
    }
    expect(Object.keys((rules.draw(() => 7) as { winners: object }).winners)).toEqual([
      'K50SILVER',
      'K60GOLD',
      'K70DIAMOND',
    ]);
  });

  it('flags andhar and bahar, which return 500 % as specified, and jodi with 50 %', () => {
    expect(rules.returns.map((bet) => [bet.bet, bet.return, bet.mark])).toEqual([
      ['andhar', 5, 'above'],
      ['bahar', 5, 'above'],
      ['jodi', 0.5, 'below'],
    ]);
  });

  it('accepts declared results for some tiers, one number each', () => {
    const text = '[{"series":"K60GOLD","drawno":"07","sum":12}]';
    const result = { winners: { K60GOLD: '07' } };
    expect(declare(rules, text)).toEqual({ ok: true, result });
    expect(rules.resultLabel(result)).toBe('K60 Gold 07');
    const row = { series: 'K60GOLD', drawno: 7 };
    expect(declare(rules, [row])).toEqual({ ok: true, result });
    expect(declare(rules, [row, { ...row, drawno: 8 }])).toMatchObject({ ok: false, field: 'result' });
    expect(declare(rules, [{ ...row, series: 'K80' }])).toMatchObject({ ok: false, field: 'result' });
    expect(rules.isResult({ winners: { ...result.winners, K80: '07' } })).toBe(false);
  });

  it('requires the tier', () => {
    expect(rules.parseBet({ drawno: '42', head: 'jodi' })).toMatchObject({ ok: false, field: 'series' });
    expect(rules.parseBet({ drawno: 4, head: 'andhar', series: 'K60GOLD' })).toMatchObject({
      ok: true,
      key: 'K60GOLD|andhar:4',
    });
  });
});
