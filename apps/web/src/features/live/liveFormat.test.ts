import { layoutOf } from '@drawhouse/rules/layout';
import { expect, it } from 'vitest';
import { shortWinners, titleOf } from './liveFormat.ts';

const lottery4d = layoutOf({ gameId: 'lottery4d', family: 'lottery4d', digits: 3000 });
const jodi = layoutOf({ gameId: 'acqOpdpL', family: 'jodi', digits: 300 });

it('several winners are told in a few characters, in the order of their sections', () => {
  expect(shortWinners(jodi, { K70DIAMOND: '88', K50SILVER: '07' })).toBe('K50 07 · K70 88');
  expect(shortWinners(lottery4d, { 5900: '5999', 1000: '1042', 1100: '1101' })).toBe('1042, 1101, 5999');
  expect(shortWinners(lottery4d, { 1000: '1042', 1100: '1101', 1200: '1207', 5900: '5999' })).toBe(
    '1042, 1101 + 2 more',
  );
  expect(shortWinners(lottery4d, {})).toBe('');
});

it('a panel is titled by its game, or as its game says, by its admin', () => {
  const names = { gameName: 'Jodi', username: 'kavya1' };
  expect(titleOf(jodi, names)).toEqual({ title: 'kavya1 andhar-bahar-jodi', of: 'Jodi' });
  expect(titleOf(lottery4d, names)).toEqual({ title: 'Jodi', of: 'kavya1' });
});
