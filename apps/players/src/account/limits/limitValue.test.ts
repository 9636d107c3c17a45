import { expect, it } from 'vitest';
import { changeTo, limitError, shareUsed, typedLimit, usedText } from './limitValue.ts';
import { limitText } from './limitTexts.ts';

it('a limit is shown in points or minutes', () => {
  expect(limitText('stakePerDay', 1234.5)).toBe('1,234.50 points');
  expect(limitText('minutesPerDay', 1)).toBe('1 minute');
  expect(limitText('minutesPerDay', 1440)).toBe('1,440 minutes');
  expect(limitText('lossPerDay', null)).toBe('No limit');
});

it('input is sent only if the server would accept it', () => {
  expect(typedLimit(' 1,500.50 ')).toBe(1500.5);
  for (const right of ['0.01', '500', '1,500.5']) expect(limitError('stakePerDay', right)).toBeUndefined();
  for (const wrong of ['', '0', '-1', '1.005', 'x', '1e3', '99999999999999999'])
    expect([wrong, limitError('stakePerDay', wrong)]).toEqual([
      wrong,
      'Write points above 0 with at most 2 decimals, such as 500',
    ]);
  for (const right of ['1', '1440']) expect(limitError('minutesPerDay', right)).toBeUndefined();
  for (const wrong of ['0', '1441', '1.5', '']) expect(limitError('minutesPerDay', wrong)).toContain('1 to 1,440');
});

it('lower is stricter; higher and unlimited are looser', () => {
  expect(changeTo(null, 5)).toBe('stricter');
  expect(changeTo(10, 5)).toBe('stricter');
  expect(changeTo(10, 20)).toBe('looser');
  expect(changeTo(10, null)).toBe('looser');
  expect(changeTo(10, 10)).toBe('same');
  expect(changeTo(null, null)).toBe('same');
});

it('shows used and remaining amounts', () => {
  const used = (limit: 'stakePerDay' | 'lossPerDay', value: number | null, spent: number | null, left: number | null) =>
    usedText({ limit, value, used: spent, left });
  expect(used('stakePerDay', 100, 40, 60)).toBe('40.00 points used, 60.00 points left.');
  expect(used('stakePerDay', 100, 120, 0)).toBe('120.00 points used, nothing left.');
  expect(used('stakePerDay', null, 40, null)).toBe('40.00 points used so far.');
  expect(used('stakePerDay', null, 0, null)).toBeNull();
  expect(used('lossPerDay', 100, -30, 130)).toBe('You are 30.00 points ahead.');
  expect(usedText({ limit: 'stakePerDraw', value: 5, used: null, left: null })).toBeNull();
  expect(shareUsed({ value: 100, used: 120 })).toBe(1);
  expect(shareUsed({ value: 100, used: -5 })).toBe(0);
  expect(shareUsed({ value: null, used: 5 })).toBeNull();
});
