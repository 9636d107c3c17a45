import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { expand } from '@drawhouse/rules/bet-text/expand';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { expect, it } from 'vitest';
import { keypadText, type KeypadChoice } from './keypadText.ts';

const none = { head: '', series: '', subseries: '' };
const typed = (gameId: string, text: string, choice: Partial<KeypadChoice> = {}, units = 5): string => {
  const { lines, problems } = keypadText(text, units, { ...none, ...choice }, rulesFor(builtInGame(gameId)!), expand);
  return problems[0]?.message ?? lines.map(({ key, qty }) => `${key}*${qty}`).join(' ');
};

it('is a bet of the chosen kind, otherwise the kind it suggests', () => {
  expect(typed('lottery3d', '12', { head: 'fp' })).toBe('fp:12*5');
  expect(typed('lottery3d', '123', { head: 'spbox' })).toBe('spbox:123*5');
  expect(typed('lottery3d', '123', { head: 'fp' })).toBe('straight:123*5');
  expect(typed('lottery3d', 'perm 12', { head: 'bp' })).toBe('bp:12*5 bp:21*5');
  expect(typed('lottery3d', 'ap 12', { head: 'fp' })).toBe('ap:12*5');
  expect(typed('triplefun', '7', { head: 'triple' })).toBe('single:7*5');
  expect(typed('acqOpdpL', '42', { head: 'jodi', series: 'K60GOLD' })).toBe('K60GOLD|jodi:42*5');
  expect(typed('acqOpdpL', '4', { head: 'andhar', series: 'K60GOLD' })).toBe('K60GOLD|andhar:4*5');
  expect(typed('lottery4d', '42-44*1', { head: 'number', series: '1000', subseries: '1200' })).toBe(
    '1242*5 1243*5 1244*5',
  );
  expect(typed('lottery4d', '3042', { head: 'number', series: '1000', subseries: '1200' })).toBe('3042*5');
  expect(typed('funtargetbingo', '7*2 3')).toBe('3*5 7*10');
});

it('rejects ambiguous input', () => {
  const jodi = { head: 'jodi', series: 'K60GOLD' };
  expect(typed('acqOpdpL', '12-50', jodi)).toMatch(
    /^This can be read two ways: write 12-50\*1 for .*, or 12\*50 for 50 on 12\.$/,
  );
  expect(typed('funtargetbingo', '7 3*2')).toMatch(/^This can be read two ways/);
});

it('explains errors for the intended bet', () => {
  expect(typed('lottery3d', '1', { head: 'spbox' })).toBe('A SP Box bet names 3 digits.');
  expect(typed('lottery3d', 'moon', { head: 'spbox' })).toMatch(/Write three digits/);
  expect(typed('acqOpdpL', '4', { head: 'jodi', series: 'K60GOLD' })).toBe(
    'The draw number must be 00 to 99. Or write andhar 4 or bahar 4.',
  );
  const gold = { head: 'jodi', series: 'K60GOLD' };
  expect(typed('acqOpdpL', '5 on 7', gold), 'the board has named the tier').not.toMatch(/tier/);
  expect(typed('acqOpdpL', 'andhar 4*5, jodi 42', gold)).toBe('K60GOLD|andhar:4*25 K60GOLD|jodi:42*5');
  expect(typed('acqOpdpL', 'K70 42', gold)).toBe('K70DIAMOND|jodi:42*5');
  expect(typed('funtargetbingo', '7', {}, 1_000_001)).toMatch(/at most 1,000,000 units on 7/);
});
