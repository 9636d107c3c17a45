import { expect, it } from 'vitest';
import { propertyText, xlsxText } from './xlsx-text.ts';

it.each([
  ['plain, ä, 😀, عربي', 'plain, ä, 😀, عربي'],
  ['a\uFFFFb\uFFFE', 'a\uFFFDb\uFFFD'],
  ['\uD83D alone \uDE00', '\uFFFD alone \uFFFD'],
  ['_x0041_', '_x005F_x0041_'],
  ['_x41_ _y0041_', '_x41_ _y0041_'],
  ['two\nlines', 'two\nlines'],
])('escapes %j as %j', (text, cell) => {
  expect(xlsxText(text)).toBe(cell);
});

it("truncates cells to Excel's limit without splitting a character", () => {
  const long = xlsxText('😀'.repeat(20_000));
  expect(long.length).toBeLessThanOrEqual(32_767);
  expect(long.isWellFormed()).toBe(true);
  expect(long.endsWith('😀…')).toBe(true);
});

it('removes control characters from properties', () => {
  expect(propertyText('a\u0001b\uFFFF\nc')).toBe('a\uFFFDb\uFFFD\nc');
});
