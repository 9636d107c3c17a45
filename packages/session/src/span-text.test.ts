import { expect, test } from 'vitest';
import { spanText } from './span-text.ts';

test.each([
  [-5, '0:00'],
  [1, '0:01'],
  [7000, '0:07'],
  [245_000, '4:05'],
  [3_723_000, '1:02:03'],
])('%d ms reads %s', (milliseconds, text) => {
  expect(spanText(milliseconds)).toBe(text);
});
