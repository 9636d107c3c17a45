import { expect, test } from 'vitest';
import { addClockSample, clockOffset, secondsUntil } from './server-clock.ts';

const DRAWS_AT = '2026-11-20T10:01:00.000Z';
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);

test('seconds are rounded up and stay zero at the end', () => {
  expect(secondsUntil(DRAWS_AT, at('10:00:58.001'))).toBe(2);
  expect(secondsUntil(DRAWS_AT, at('10:00:58.999'))).toBe(2);
  expect(secondsUntil(DRAWS_AT, at('10:00:59.000'))).toBe(0);
  expect(secondsUntil(DRAWS_AT, at('10:00:59.999'))).toBe(0);
  expect(secondsUntil(DRAWS_AT, at('10:00:00.000'))).toBe(60);
  expect(secondsUntil(DRAWS_AT, at('10:01:00.000'))).toBe(0);
  expect(secondsUntil(DRAWS_AT, at('10:05:00.000'))).toBe(0);
});

test('the clock uses the frame with the least delay', () => {
  const sent = '2026-11-20T10:00:00.000Z';
  let samples: readonly number[] = [];
  samples = addClockSample(samples, sent, at('09:59:50.300'));
  samples = addClockSample(samples, sent, at('09:59:50.020'));
  samples = addClockSample(samples, sent, at('09:59:51.000'));
  expect(clockOffset(samples)).toBe(9_980);
});

test('the clock forgets old frames and ignores invalid times', () => {
  let samples: readonly number[] = [];
  for (let i = 0; i < 20; i += 1) samples = addClockSample(samples, '2026-11-20T10:00:00.000Z', at('10:00:00.000') + i);
  expect(samples).toHaveLength(8);
  expect(clockOffset(samples)).toBe(-12);
  expect(addClockSample(samples, 'soon', 0)).toBe(samples);
  expect(clockOffset([])).toBe(0);
});
