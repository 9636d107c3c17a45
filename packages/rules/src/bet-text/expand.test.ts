import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInGame } from '../games/catalogue.ts';
import { expand, MAX_TEXT, typedHelp, type SlipLine } from './expand.ts';
import { textOf } from './line-name.ts';
import { rulesFor, type GameRules } from '../games/rules.ts';
import { wheelBets } from '../games/families/roulette.ts';

const LIMITS = { qty: 1_000_000, lines: 1_000 };
const GAMES = [
  'funtargetbingo',
  'titlisorrat',
  'luckycard12',
  'miniroulette',
  'europeanroulette',
  'roulette',
  'triplefun',
  'andarbahar',
  'lottery3d',
  'lottery4d',
  'acqOpdpL',
].map((gameId) => ({ gameId, rules: rulesFor(builtInGame(gameId)!) }));

const rulesOf = (gameId: string): GameRules => GAMES.find((game) => game.gameId === gameId)!.rules;
const expanded = (gameId: string, text: string): string => {
  const { lines, problems } = expand(text, rulesOf(gameId), LIMITS);
  return problems[0] ? `${problems[0].part}: ${problems[0].message}` : keysOf(lines);
};
const keysOf = (lines: readonly SlipLine[]): string => lines.map(({ key, qty }) => `${key}*${qty}`).join(' ');

describe('the text of a bet', () => {
  it('expands numbers with their quantities', () => {
    for (const text of ['1*5, 3', '1*5 3*1', '1x5;3', '1 × 5\n3', '1=5,3', '(1)*5 3', '1 x5 3', '1*2 3 ; 1*3'])
      expect({ text, laid: expanded('titlisorrat', text) }).toEqual({ text, laid: '1*5 3*1' });
    expect(expanded('titlisorrat', 'sun*2 Spinning Top x 3 ROSE')).toBe('3*2 8*3 9*1');
    expect(expanded('luckycard12', 'K♠*2 qh K♠️')).toBe('6*1 9*3');
    expect(expanded('titlisorrat', '(1*1 2*2)*3 2')).toBe('1*3 2*7');
    expect(expanded('titlisorrat', '')).toBe('');
    expect(expanded('titlisorrat', ' ,; \n')).toBe('');
  });

  it('expands ranges inclusively', () => {
    expect(expanded('titlisorrat', '9-12*2')).toBe('9*2 10*2 11*2 12*2');
    expect(expanded('lottery3d', '120-122*1')).toBe('straight:120*1 straight:121*1 straight:122*1');
    expect(expanded('triplefun', '08 - 10=1')).toBe('double:08*1 double:09*1 double:10*1');
    expect(expanded('andarbahar', '10-Q*3')).toBe('rank:10*3 rank:11*3 rank:12*3');
    expect(expanded('roulette', '(0-2)*1')).toBe('0*1 1*1 2*1');
  });

  it('expands all orders of digits', () => {
    expect(expanded('lottery3d', 'perm 112*2')).toBe('straight:112*2 straight:121*2 straight:211*2');
    expect(expanded('triplefun', 'perm123').split(' ')).toHaveLength(6);
    expect(expanded('lottery4d', 'perm 1213').split(' ')).toHaveLength(9);
    expect(expanded('acqOpdpL', 'k60 rev 42')).toBe('K60GOLD|jodi:24*1 K60GOLD|jodi:42*1');
    expect(expanded('lottery3d', 'fp perm 12')).toBe('fp:12*1 fp:21*1');
  });

  it('reads bet kinds by name or prefix, per line or under a heading', () => {
    expect(expanded('lottery3d', 'fp12 bp 34 56; 789')).toBe('straight:789*1 fp:12*1 bp:34*1 bp:56*1');
    expect(expanded('lottery3d', 'box 123 112')).toBe('spbox:123*1 dpbox:112*1');
    expect(expanded('lottery3d', 'SP Box\n123*2\n321\nFront Pair 12\n456')).toBe('spbox:123*3 spbox:456*1 fp:12*1');
    expect(expanded('lottery3d', 'spbox123x5')).toBe('spbox:123*5');
    expect(expanded('triplefun', '7*5 23 123 s 4 d45')).toBe(
      'triple:123*1 double:23*1 double:45*1 single:4*1 single:7*5',
    );
    expect(expanded('acqOpdpL', 'gold 42*2 andhar 4; k5 b 3')).toBe(
      'K50SILVER|bahar:3*1 K60GOLD|andhar:4*1 K60GOLD|jodi:42*2',
    );
    expect(expanded('acqOpdpL', 'K60 GOLD\n42\nK70 42\n43')).toBe(
      'K60GOLD|jodi:42*1 K60GOLD|jodi:43*1 K70DIAMOND|jodi:42*1',
    );
    expect(expanded('andarbahar', '10*2 K ♠ hearts red')).toBe(
      'rank:10*2 rank:13*1 suit:spade*1 suit:heart*1 color:red*1',
    );
    expect(expanded('lottery4d', 'sub 1200 42*2 43; series 3000 042 1999')).toBe('1999: 1999 is in the series 1000.');
    expect(expanded('lottery4d', 'sub 1200 42*2 43; series 3000 042; 1999')).toBe('1242*2 1243*1 1999*1 3042*1');
  });

  it("reads a wheel's bets by name, each as one bet", () => {
    for (const gameId of ['miniroulette', 'europeanroulette', 'roulette'])
      for (const { key, kind, drawno, name } of wheelBets(rulesOf(gameId))) {
        const text = kind === 'straight' || kind === 'chance' ? drawno : `${kind} ${drawno}`;
        expect(expanded(gameId, `${text}*2`)).toBe(`${key}*2`);
        if (kind === 'split' || kind === 'sixline') expect(expanded(gameId, `${name}*2`)).toBe(`${key}*2`);
      }
    expect(expanded('europeanroulette', 'red*5')).toBe('red*5');
    expect(expanded('europeanroulette', 'neighbours 0')).toBe('0*1 3*1 15*1 26*1 32*1');
    expect(expanded('europeanroulette', 'd1*2 n17 c 3')).toBe('2*1 6*1 17*1 25*1 34*1 dozen:1*2 column:3*1');
    expect(expanded('europeanroulette', 'red*5 1=2 high-7 col2')).toBe('1*2 column:2*1 red*5 high*7');
    expect(expanded('europeanroulette', 'split 1-2*5 5/4=3; street 4-6*1, 3-2-1*2')).toBe(
      'split:1-2*5 split:4-5*3 street:1-2-3*2 street:4-5-6*1',
    );
    expect(expanded('europeanroulette', 'Split\n2-1*2\n17-20 (5)\nsix line 1-6*3; corner 1-5*4')).toBe(
      'split:1-2*2 split:17-20*5 corner:1-2-4-5*4 sixline:1-2-3-4-5-6*3',
    );
    expect(expanded('roulette', 'split 0-00 red; 00')).toBe('00*1 split:0-00*1 red*1');
    expect(expanded('roulette', 'dozen\n1')).toBe('dozen: Write a number after dozen, such as dozen 1.');
  });

  it('names every wrong part and places nothing then', () => {
    const wrong: [string, string, string][] = [
      ['titlisorrat', '1 13*2', '13: The draw number must be from 1 to 12.'],
      ['titlisorrat', '5*0', '*0: Write a whole number from 1 to 1000000 after the *.'],
      ['titlisorrat', '5*2.5', '*2.5: Write a whole number from 1 to 1000000 after the *.'],
      ['titlisorrat', '5*', '*: Write a whole number from 1 to 1000000 after the *.'],
      ['titlisorrat', '5*2*3', '*2*: Write the units only once.'],
      ['titlisorrat', '*5', '*: Write a bet before the *, such as 12*5.'],
      ['titlisorrat', '7-3*1', '7-3: Write the smaller number first: 3-7.'],
      ['titlisorrat', '7-', '7-: Write a range from one number to another, such as 120-129.'],
      ['titlisorrat', '7-99*1', '7-99: 99: The draw number must be from 1 to 12.'],
      [
        'titlisorrat',
        'moon',
        'moon: This game has no such bet. Write a name of the board, such as Umbrella*5 or Rabbit*5.',
      ],
      ['titlisorrat', '(5', '(: Close this bracket.'],
      ['titlisorrat', '5)', '): There is no bracket open before it.'],
      [
        'lottery3d',
        '12',
        '12: Say which bet this is: ap (Any Pair), fp (Front Pair), bp (Back Pair) or sp (Split Pair), such as ap 12.',
      ],
      ['lottery3d', 's 12', 's: s could be straight, spbox or sp: write more of it.'],
      ['lottery3d', 'fp', 'fp: Write a bet after fp, or leave it out.'],
      ['lottery3d', 'fp bp 12', 'fp: Write a bet after fp, or leave it out.'],
      [
        'lottery3d',
        'spbox 112',
        '112: An SP Box bet names three different digits. Or write straight 112 or dpbox 112.',
      ],
      ['lottery3d', 'perm', 'perm: Write a number after perm, such as perm 12.'],
      [
        'lottery3d',
        'box perm 123',
        'perm 123: Such a bet already covers every order of its digits: write the number alone.',
      ],
      ['lottery3d', '12-120*1', '12-120: Write both ends of a range with as many digits, such as 120-129.'],
      ['lottery4d', '1990-3010*1', '1990-3010: 2000: The draw number must be in 1000-1999, 3000-3999 or 5000-5999.'],
      ['lottery4d', 'sub 12', 'sub: Write the first number of a sub-series after sub, such as 1000.'],
      ['acqOpdpL', '42', '42: Write the tier before the number, K50, K60 or K70, such as K60 42.'],
      ['acqOpdpL', 'K60 4', '4: Say which bet this is: andhar or bahar, such as andhar 4.'],
      ['europeanroulette', 'dozen 4', 'dozen 4: There is no dozen 4: write for instance dozen 1.'],
      ['europeanroulette', 'split 1-4-7', '1-4-7: A Split bet names two neighbors on the table, such as 1-2.'],
      ['europeanroulette', 'split 1-x-2', '1-x-2: A Split bet names two neighbors on the table, such as 1-2.'],
      ['europeanroulette', 'split 3-4', '3-4: A Split bet names two neighbors on the table, such as 1-2.'],
      [
        'europeanroulette',
        'split 1-2 17',
        '17: A Split bet names two neighbors on the table, such as 1-2. Or write straight 17.',
      ],
      ['europeanroulette', 'split red', 'split: Write a bet after split, or leave it out.'],
      ['europeanroulette', '1/2', '1/2: This can be read two ways: write 1*2 for 2 on 1, or 1,2 for 1 on each.'],
      ['andarbahar', 'suit K', 'K: A bet on the card type names spade, heart, diamond or club.'],
      ['titlisorrat', '1*999999 1*2', '1: Bet at most 1,000,000 units on 1, all entries added up.'],
    ];
    for (const [gameId, text, problem] of wrong) {
      expect({ text, problem: expanded(gameId, text) }).toEqual({ text, problem });
      expect(expand(text, rulesOf(gameId), LIMITS).lines).toEqual([]);
    }
    const { problems } = expand('1 13\n14*x', rulesOf('titlisorrat'), LIMITS);
    expect(problems.map(({ at, part }) => [at, part])).toEqual([
      [2, '13'],
      [5, '14'],
      [7, '*x'],
    ]);
  });

  it("corrects a player's own words", () => {
    const cases: [string, string, string][] = [
      ['lottery3d', 'fp 345', '345: A Front Pair bet names 2 digits. Or write straight 345 or spbox 345.'],
      ['acqOpdpL', 'K60 andhar 4*5, 42', '42: The draw number must be 0 to 9. Or write jodi 42.'],
      ['funtargetbingo', '5 on 7', 'on: Write the bet first, then * and its units, such as 0*5.'],
      ['funtargetbingo', '50rs on 7', '50rs: Write the units as a number alone, after a *, such as 0*5.'],
      ['funtargetbingo', '7 ₹50', '₹50: Write the units as a number alone, after a *, such as 0*5.'],
      [
        'europeanroulette',
        '5 each 7 8',
        'each: For the same units on each, write = and the units after the numbers, such as 7,8=5.',
      ],
      ['lottery3d', '120 to 129', 'to: Write a range with a dash, such as 120-129*1.'],
      ['acqOpdpL', 'K60 42 and 21', 'and: Write a comma between bets, such as K60 42,21=5.'],
      ['europeanroulette', 'balck*5', `balck: Did you mean black? ${typedHelp(rulesOf('europeanroulette'))}`],
      ['andarbahar', 'spde', `spde: Did you mean spade? ${typedHelp(rulesOf('andarbahar'))}`],
      ['titlisorrat', 'rabit*5', `rabit: Did you mean rabbit? ${typedHelp(rulesOf('titlisorrat'))}`],
      ['luckycard12', '99', '99: The draw number must be from 1 to 12.'],
      ['luckycard12', 'joker', 'joker: This game has no such bet. Write a card, such as J♠*5 or Js*5.'],
      [
        'europeanroulette',
        'red 5',
        'red 5: This can be read two ways: write red=5 for 5 on red, or red, 5 for 1 on each.',
      ],
      [
        'titlisorrat',
        'sun rose 10',
        'sun rose 10: This can be read two ways: write sun rose=10 for 10 on each, or sun rose, 10 for 1 on each.',
      ],
      [
        'europeanroulette',
        'dozen 1 5',
        'dozen 1 5: This can be read two ways: write dozen 1=5 for 5 on dozen 1, or dozen 1, 5 for 1 on each.',
      ],
    ];
    for (const [gameId, text, problem] of cases)
      expect({ text, problem: expanded(gameId, text) }).toEqual({ text, problem });
    expect(expanded('europeanroulette', 'red=5')).toBe('red*5');
    expect(expanded('europeanroulette', 'red, 5')).toBe('5*1 red*1');
    expect(expanded('acqOpdpL', 'K60 andar 4*5; K60 pair 42*2')).toBe('K60GOLD|andhar:4*5 K60GOLD|jodi:42*2');
  });

  it("reads clerks' lists and shows both readings of ambiguous ones", () => {
    const lists: [string, string, string][] = [
      ['acqOpdpL', 'K60 12,34,56=10', 'K60GOLD|jodi:12*10 K60GOLD|jodi:34*10 K60GOLD|jodi:56*10'],
      ['acqOpdpL', 'K60 12 21 33 (10)', 'K60GOLD|jodi:12*10 K60GOLD|jodi:21*10 K60GOLD|jodi:33*10'],
      ['acqOpdpL', 'K60 12-500 34-150', 'K60GOLD|jodi:12*500 K60GOLD|jodi:34*150'],
      ['lottery3d', '123(10) 234 345(5)', 'straight:123*10 straight:234*5 straight:345*5'],
      ['lottery3d', '123-50, 234-20', 'straight:123*50 straight:234*20'],
      ['titlisorrat', '7-99', '7*99'],
      ['titlisorrat', '1=5, 2 3=4, 6', '1*5 2*4 3*4 6*1'],
      ['titlisorrat', '1-3 (5)', '1*5 2*5 3*5'],
      ['andarbahar', '10-Q', 'rank:10*1 rank:11*1 rank:12*1'],
      [
        'acqOpdpL',
        'K60 12-50',
        '12-50: This can be read two ways: write 12-50*1 for 12 to 50 with 1 on each, or 12*50 for 50 on 12.',
      ],
      [
        'titlisorrat',
        '7-3',
        '7-3: This can be read two ways: write 3-7*1 for 3 to 7 with 1 on each, or 7*3 for 3 on 7.',
      ],
      [
        'titlisorrat',
        '1 2 3*10',
        '1 2 3*10: This can be read two ways: write (1 2 3)*10 for 10 on each, or (1 2)*1 3*10 for 10 on 3 alone.',
      ],
      [
        'acqOpdpL',
        'K60 12,34-500',
        '12,34-500: This can be read two ways: write (12,34)*500 for 500 on each, or 12*1 34*500 for 500 on 34 alone.',
      ],
      ['lottery3d', 'fp 12 bp 34=5', '12 bp 34=5: Write the units after each kind of bet, such as fp 12=5 bp 34=5.'],
      ['acqOpdpL', 'K60 12 34 [10]', 'K60GOLD|jodi:12*10 K60GOLD|jodi:34*10'],
      ['acqOpdpL', 'K60: 12=10; K60:34=5; K60-56=2', 'K60GOLD|jodi:12*10 K60GOLD|jodi:34*5 K60GOLD|jodi:56*2'],
      ['europeanroulette', 'dozen 1*3 red-50', expanded('europeanroulette', 'dozen 1*3 red*50')],
      ['europeanroulette', 'n17-5', 'n17-5: Write the units after an asterisk: n17*5.'],
      [
        'titlisorrat',
        '1\n2\n3=10',
        '1\n2\n3=10: This can be read two ways: write (1 2 3)*10 for 10 on each, or (1 2)*1 3*10 for 10 on 3 alone.',
      ],
      [
        'titlisorrat',
        '1;2 3 (10)',
        '1;2 3 (10): This can be read two ways: write (1;2 3)*10 for 10 on each, or 1*1 (2 3)*10 for 10 on (2 3) alone.',
      ],
      ['titlisorrat', '1=5\n2\n3', '1*5 2*1 3*1'],
      [
        'acqOpdpL',
        'K60 (12 34) 10',
        '(12 34) 10: This can be read two ways: write (12 34)*10 for 10 on each, or (12 34)*1 10 for 1 on all.',
      ],
      ['titlisorrat', '(1 2)', '(1 2): Write after the bracket how many units go on each, such as (1 2)*10.'],
      ['titlisorrat', '1 2 ()', '(): Write a number in the brackets.'],
      ['titlisorrat', '(1*2 2*3)', '1*2 2*3'],
      [
        'acqOpdpL',
        'K60 12,34,56 10',
        '12,34,56 10: This can be read two ways: write 12,34,56=10 for 10 on each, or 12,34,56, 10 for 1 on each.',
      ],
      ['titlisorrat', '7\t10', '7\t10: This can be read two ways: write 7=10 for 10 on 7, or 7, 10 for 1 on each.'],
      ['titlisorrat', '7 10\n8 5', '7 10: This can be read two ways: write 7=10 for 10 on 7, or 7, 10 for 1 on each.'],
      ['titlisorrat', '7 10', '7*1 10*1'],
      ['lottery3d', '123=5,234=10,345=1', 'straight:123*5 straight:234*10 straight:345*1'],
      ...['123=1,000', '123*1,000', '123-1,000', '123=1,00,000'].map((text): [string, string, string] => {
        const [amount, rest] = /\d+,(.*)$/.exec(text)!;
        const [all, shown] = [amount.replaceAll(',', ''), rest!.replaceAll(',', ', ')];
        const message = `write ${all} for ${all}, or 1, ${shown} for 1 and then ${shown}.`;
        return ['lottery3d', text, `${amount}: This can be read two ways: ${message}`];
      }),
      ['acqOpdpL', 'K60 12-34-56=10', '12-34-56: Write commas between numbers: 12,34,56.'],
      ['acqOpdpL', 'K60 12/34/56=10', '12/34/56: Write commas between numbers: 12,34,56.'],
      ['acqOpdpL', 'K60 12.50', '12.50: This can be read two ways: write 12*50 for 50 on 12, or 12,50 for 1 on each.'],
      ['titlisorrat', '1 2 (0)', '(0): Write a whole number from 1 to 1000000 in the brackets.'],
    ];
    for (const [gameId, text, meant] of lists)
      expect({ text, laid: expanded(gameId, text) }).toEqual({ text, laid: meant });
    for (const text of ['12-50*1', '12*50', '(12,34)*500', '12*1 34*500'])
      expect({ text, problems: expand(`K60 ${text}`, rulesOf('acqOpdpL'), LIMITS).problems }).toEqual({
        text,
        problems: [],
      });
  });

  it("is limited by a ticket's lines in length and repetitions", () => {
    expect(expanded('lottery4d', '1000-1999*1').split(' ')).toHaveLength(1000);
    expect(expanded('lottery4d', '1000-1999*1 3000')).toBe(
      '1000-1999*1 3000: Place at most 1,000 bets on one ticket. These are 1,001.',
    );
    expect(expanded('lottery4d', ' '.repeat(MAX_TEXT + 1))).toMatch(/Write at most 100,000 characters/);
    expect(expanded('lottery4d', '1000-1999*1 '.repeat(8_000))).toMatch(/Place at most 1,000 bets on one ticket\.$/);
    expect(expanded('titlisorrat', '('.repeat(50_000))).toMatch(/Use at most 8 brackets/);
    expect(expand('moon '.repeat(1000), rulesOf('titlisorrat'), LIMITS).problems).toHaveLength(20);
  });
});

const anyLines = (rules: GameRules): fc.Arbitrary<SlipLine[]> => {
  const cells = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  const keys = [...new Set(cells.flatMap((cell) => rules.outcomeBets(cell).map(({ key }) => key)))];
  const line = fc.tuple(fc.constantFrom(...keys), fc.integer({ min: 1, max: 1000 }));
  return fc
    .uniqueArray(line, { maxLength: 30, selector: ([key]) => key })
    .map((chosen) => chosen.map(([key, qty]) => ({ ...rules.betOf(key)!, qty })));
};

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...'()*x×=-;,\n '.split(''), ' ', '0', '00', '7', '12', '42', '123', '1242', '999999999', 'x5'),
        fc.constantFrom(...'fp sp box spbox perm K60 gold andhar b sub series red dozen n c K ♠ spade rank'.split(' ')),
        fc.constantFrom('__proto__', 'constructor', 'toString', 'Spinning', 'Top', 'ß', '１２', '١٢'),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);

describe.each(GAMES)('any text for $gameId', ({ rules }) => {
  const of = (text: string) => expand(text, rules, LIMITS);

  it('either parses into valid bets or is refused, without throwing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { lines, problems } = of(text);
        expect(lines.length === 0 || problems.length === 0).toBe(true);
        for (const { qty, ...bet } of lines) {
          expect(rules.parseBet(bet)).toEqual({ ok: true, ...bet });
          expect(Number.isInteger(qty) && qty >= 1 && qty <= LIMITS.qty).toBe(true);
        }
        for (const { at, part } of problems) expect(text.startsWith(part, at)).toBe(true);
      }),
      { numRuns: process.env['TEST_LONG'] ? 300 : 60 },
    );
  });

  it('loses no number: changing one changes the bets', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { lines } = of(text);
        if (lines.length === 0) return;
        for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
          const another = String((Number(digits) + 1) % 10 ** digits.length).padStart(digits.length, '0');
          const changed = of(text.slice(0, index) + another + text.slice(index + digits.length));
          expect({ text, lines: changed.lines }).not.toEqual({ text, lines });
        }
      }),
      { numRuns: process.env['TEST_LONG'] ? 1000 : 100 },
    );
  });

  it('stakes a list on each number or shows both readings', () => {
    const numbers = rules.outcomes.map(({ drawno }) => drawno).filter((drawno) => /^\d+$/.test(drawno));
    const list = fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 2, maxLength: 8 });
    const prefix = rules.family === 'jodi' ? 'K60 ' : rules.family === 'triple' ? 'triple ' : '';
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 9999 }), (drawnos, stake) => {
        const [first] = drawnos;
        const onEach = drawnos.map((drawno) => `${prefix}${drawno}*${stake}`).join('\n');
        for (const text of [
          `${drawnos.join(',')}=${stake}`,
          `${drawnos.join(' ')} (${stake})`,
          `(${drawnos.join(' ')})*${stake}`,
        ])
          expect({ text, lines: of(prefix + text).lines }).toEqual({ text, lines: of(onEach).lines });
        for (const text of [`${drawnos.join(' ')}*${stake}`, `${drawnos.join(',')}x${stake}`])
          expect({ text, problems: of(prefix + text).problems }).toMatchObject({
            text,
            problems: [{ isTwoWays: true }],
          });
        const { lines, problems } = of(`${prefix}${first}-${stake}`);
        if (problems.length > 0) expect(problems[0]).toMatchObject({ isTwoWays: true });
        else expect(lines).toEqual(of(`${prefix}${first}*${stake}`).lines);
      }),
      { numRuns: process.env['TEST_LONG'] ? 100 : 20 },
    );
  });

  it('round-trips bets in game order', () => {
    fc.assert(
      fc.property(anyLines(rules), (lines) => {
        const { lines: read, problems } = of(textOf(lines, rules));
        expect(problems).toEqual([]);
        expect(new Set(read.map((line) => JSON.stringify(line)))).toEqual(
          new Set(
            lines.map(({ key, drawno, head, series, subseries, qty }) =>
              JSON.stringify({ key, drawno, head, series, subseries, qty }),
            ),
          ),
        );
        expect(of(textOf(read, rules)).lines).toEqual(read);
      }),
      { numRuns: process.env['TEST_LONG'] ? 50 : 10 },
    );
  });

  it('ignores order and adds up', () => {
    fc.assert(
      fc.property(anyLines(rules), anyLines(rules), fc.integer({ min: 1, max: 50 }), (a, b, often) => {
        const [first, second] = [textOf(a, rules), textOf(b, rules)];
        expect(of(`${first}\n${second}`)).toEqual(of(`${second}\n${first}`));
        const times = of(`(${first})*${often}`).lines;
        expect(times).toEqual(of(first).lines.map((line) => ({ ...line, qty: line.qty * often })));
        const sum = of(`(${first})*${often}; ${first}`).lines;
        expect(sum).toEqual(of(first).lines.map((line) => ({ ...line, qty: line.qty * (often + 1) })));
      }),
      { numRuns: process.env['TEST_LONG'] ? 50 : 10 },
    );
  });
});

describe('ranges and orders', () => {
  it('yield the right number of bets', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.nat(999), (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)].map((n) => String(n).padStart(3, '0'));
        for (const gameId of ['lottery3d', 'triplefun'])
          expect(expand(`${from}-${to}*1`, rulesOf(gameId), LIMITS).lines).toHaveLength(Number(to) - Number(from) + 1);
        const digits = String(one).padStart(3, '0');
        const orders = [1, 3, 6][new Set(digits).size - 1];
        expect(expand(`perm ${digits}`, rulesOf('lottery3d'), LIMITS).lines).toHaveLength(orders!);
      }),
      { numRuns: process.env['TEST_LONG'] ? 100 : 10 },
    );
  });
});
