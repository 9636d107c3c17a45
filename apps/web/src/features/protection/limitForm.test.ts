import { describe, expect, it } from 'vitest';
import { entryText, limitErrors, limitText, shareUsed, typedLimit } from './limitForm.ts';

describe("a player's limits in words", () => {
  it('are points or minutes, or a dash', () => {
    expect(limitText('stakePerDay', 1500)).toBe('1,500.00');
    expect(limitText('minutesPerDay', 1440)).toBe('1,440 min');
    expect(limitText('lossPerWeek', -12.5)).toBe('−12.50');
    expect(limitText('lossPerWeek', null)).toBe('–');
  });

  it('show use from 0 to 100 %, despite wins or overruns', () => {
    expect(shareUsed({ value: 200, used: 50 })).toBe(0.25);
    expect(shareUsed({ value: 200, used: -50 })).toBe(0);
    expect(shareUsed({ value: 200, used: 500 })).toBe(1);
    expect(shareUsed({ value: null, used: 500 })).toBeNull();
    expect(shareUsed({ value: 200, used: null })).toBeNull();
  });

  it('are read as typed', () => {
    expect(typedLimit(' 1,200.50 ')).toBe(1200.5);
    expect(typedLimit('  ')).toBeNull();
    expect(typedLimit('-3')).toBeNaN();
    expect(typedLimit('all')).toBeNaN();
  });

  it.each([
    ['stakePerDay', '500', true],
    ['stakePerDay', '', true],
    ['stakePerDay', '0', false],
    ['stakePerDay', '1.005', false],
    ['stakePerDay', 'much', false],
    ['minutesPerDay', '90', true],
    ['minutesPerDay', '1440', true],
    ['minutesPerDay', '1441', false],
    ['minutesPerDay', '1.5', false],
  ] as const)('report what is wrong with %s %s', (limit, value, isRight) => {
    expect(Object.keys(limitErrors(limit, { value, reason: '' }))).toEqual(isRight ? [] : ['value']);
  });

  it('describe what happened', () => {
    const entry = {
      at: '2026-03-10T10:00:00.000Z',
      from: '2026-03-11T10:00:00.000Z',
      side: 'player',
      until: null,
      length: null,
      by: 'anita',
      reason: '',
    } as const;
    expect(entryText({ ...entry, what: 'stakePerDay', step: 'set', before: null, after: 50 })).toBe(
      'Stake per day: none → 50.00',
    );
    expect(entryText({ ...entry, what: 'minutesPerDay', step: 'asked', before: 60, after: null })).toBe(
      'Minutes signed in per day: requested none instead of 60 min',
    );
    expect(entryText({ ...entry, what: 'exclusion', step: 'set', before: null, after: null, length: '1 year' })).toBe(
      'Exclusion of 1 year',
    );
  });
});
