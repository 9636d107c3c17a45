import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, it, vi } from 'vitest';
import { coverOf, hueOf } from './GameCover.tsx';

vi.mock('./GameCover.module.css', () => ({ default: {} }));
vi.mock('./DrawnResult.tsx', () => ({ OutcomePicture: () => null }));

const ENTIRE = BUILT_IN_GAMES.filter(({ family }) => !['andarbahar', 'triple'].includes(family));

it.each(ENTIRE)('$gameId shows its own outcomes', (game) => {
  const { outcomes } = rulesFor(game);
  const covers = coverOf(game).map(({ drawno, label }) => `${drawno} ${label}`);
  expect(outcomes.map(({ drawno, label }) => `${drawno} ${label}`)).toEqual(expect.arrayContaining(covers));
  expect(new Set(covers).size).toBe(covers.length);
});

it('cards show rank and suit, and games of one or two outcomes have a cover too', () => {
  const cards = coverOf({ gameId: 'andarbahar', family: 'andarbahar', digits: 13 });
  for (const { label } of cards) expect(label).toMatch(/^(?:A|K|Q|J|10|[2-9])[♠♥♦♣]$/);
  for (const digits of [1, 2, 1000])
    for (const { drawno } of coverOf({ gameId: 'created', family: 'numbers', digits }))
      expect(Number(drawno)).toBeLessThan(digits);
});

it('each built-in game has its own color', () => {
  const hues = BUILT_IN_GAMES.map(({ gameId }) => hueOf(gameId));
  expect(new Set(hues).size).toBe(hues.length);
});
