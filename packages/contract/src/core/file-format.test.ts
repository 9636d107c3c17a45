import { expect, it } from 'vitest';
import { ExactPoints } from './hundredths.ts';
import { propertyText, xlsxCell } from './file-format.ts';

it.each([
  ['plain, ä, 😀, عربي', 'plain, ä, 😀, عربي'],
  ['a\uFFFFb\uFFFE', 'a\uFFFDb\uFFFD'],
  ['\uD83D alone \uDE00', '\uFFFD alone \uFFFD'],
  ['_x0041_', '_x005F_x0041_'],
  ['_x41_ _y0041_', '_x41_ _y0041_'],
  ['two\nlines', 'two\nlines'],
])('escapes %j as %j', (text, cell) => {
  expect(xlsxCell(text)).toBe(cell);
});

it("truncates cells to Excel's limit without splitting a character", () => {
  const long = xlsxCell('😀'.repeat(20_000)) as string;
  expect(long.length).toBeLessThanOrEqual(32_767);
  expect(long.isWellFormed()).toBe(true);
  expect(long.endsWith('😀…')).toBe(true);
});

it('removes control characters from properties', () => {
  expect(propertyText('a\u0001b\uFFFF\nc')).toBe('a\uFFFDb\uFFFD\nc');
});

it('writes points with more digits than Excel keeps as text', () => {
  const exact = new ExactPoints('9007199254740993.12');
  expect(xlsxCell(exact as never)).toBe('9007199254740993.12');
  expect(xlsxCell(12_345_678_901_234.5)).toBe('12345678901234.5');
  expect([1234.56, -12, true, null].map(xlsxCell)).toEqual([1234.56, -12, true, null]);
});
