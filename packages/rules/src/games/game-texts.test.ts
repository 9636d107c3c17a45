import { expect, it } from 'vitest';
import { expand } from '../bet-text/expand.ts';
import { lineName } from '../bet-text/line-name.ts';
import { resultName } from '../panel/shown-result.ts';
import { BUILT_IN_GAMES, FAMILIES, builtInGame } from './catalogue.ts';
import { GAME_TEXTS, gameFacts } from './game-texts.ts';
import { rulesFor } from './rules.ts';
import { examplePay, explainedBets } from './worked-examples.ts';

const LIMITS = { qty: 1_000_000, lines: 1_000 };
const GAMES = [...BUILT_IN_GAMES, { gameId: 'created', family: 'numbers', digits: 1 } as const];

it('every family is explained', () => {
  expect(new Set(GAMES.map(({ family }) => family))).toEqual(new Set(FAMILIES));
  expect(Object.keys(GAME_TEXTS)).toEqual([...FAMILIES]);
});

it.each(GAMES)('$gameId explains each kind of bet with an example that pays what is said', (game) => {
  const rules = rulesFor(game);
  const bets = explainedBets(rules);
  expect(bets.map(({ head }) => head)).toEqual(rules.heads.map(({ name }) => name));
  expect(GAME_TEXTS[game.family].draws(gameFacts(rules))).toMatch(/\.$/);
  for (const bet of bets) {
    const { payHundredths } = rules.heads.find(({ name }) => name === bet.head)!;
    expect(bet).toMatchObject({ hint: expect.stringMatching(/[^.]$/), wins: expect.stringMatching(/\.$/) });
    expect(examplePay(rules, bet, bet.won, 500n)).toBe(5n * BigInt(payHundredths));
    if (bet.lost) expect(examplePay(rules, bet, bet.lost, 500n)).toBe(0n);
    else expect(rules.returns[0]!.probability).toBe(1);
    expect(resultName(game, bet.won)).not.toBeNull();
  }
});

it.each(GAMES.filter(({ digits }) => digits > 5))('$gameId lists typed bets that parse', (game) => {
  const rules = rulesFor(game);
  for (const { text, means } of GAME_TEXTS[game.family].typed(gameFacts(rules))) {
    const { lines, problems } = expand(text, rules, LIMITS);
    expect({ text, problems }).toEqual({ text, problems: [] });
    const [, units] = /^(\d+) units?/.exec(means)!;
    expect({ text, qty: new Set(lines.map(({ qty }) => qty)) }).toEqual({ text, qty: new Set([Number(units)]) });
    expect(means.includes(' each') || lines.length === 1 || `${text} has ${lines.length} bets`).toBe(true);
  }
});

it('names examples as the texts do', () => {
  const named = (gameId: string) => {
    const game = builtInGame(gameId)!;
    const rules = rulesFor(game);
    return explainedBets(rules).map(({ example, won }) => `${lineName(example, rules)}: ${resultName(game, won)}`);
  };
  expect(named('lottery3d')).toEqual([
    'Straight 123: 123',
    'SP Box 123: 321',
    'DP Box 112: 211',
    'Any Pair 12: 912',
    'Front Pair 12: 129',
    'Back Pair 12: 912',
    'Split Pair 12: 192',
  ]);
  expect(named('europeanroulette').slice(0, 5)).toEqual([
    'Straight 1: 1',
    'Split 1-2: 2',
    'Street 1-2-3: 3',
    'Corner 1-2-4-5: 5',
    'Six line 1-6: 6',
  ]);
  expect(named('acqOpdpL')).toEqual([
    'K60 Gold Andhar 4: K60 49',
    'K60 Gold Bahar 2: K60 92',
    'K60 Gold Jodi 42: K60 42',
  ]);
  expect(named('andarbahar')).toEqual(['Card K: K♣', 'Card type ♠: K♠', 'Color Red: K♦']);
  expect(named('luckycard16')).toEqual(['A♠: A♠']);
});
