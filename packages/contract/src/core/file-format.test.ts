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
  expect(xlsxCell(text, 'text')).toBe(cell);
});

it("truncates cells to Excel's limit without splitting a character", () => {
  const long = xlsxCell('😀'.repeat(20_000), 'text') as string;
  expect(long.length).toBeLessThanOrEqual(32_767);
  expect(long.isWellFormed()).toBe(true);
  expect(long.endsWith('😀…')).toBe(true);
});

it('removes control characters from properties', () => {
  expect(propertyText('a\u0001b\uFFFF\nc')).toBe('a\uFFFDb\uFFFD\nc');
});

it('writes points with more digits than Excel keeps as text', () => {
  const exact = new ExactPoints('9007199254740993.12');
  expect(xlsxCell(exact as never, 'points')).toBe('9007199254740993.12');
  expect(xlsxCell(12_345_678_901_234.5, 'points')).toBe('12345678901234.5');
  expect([1234.56, -12, true, null].map((cell) => xlsxCell(cell, 'points'))).toEqual([1234.56, -12, true, null]);
});

it('writes times and days as dates, in the time zone of the text', () => {
  expect(xlsxCell('2026-03-10 15:30:07', 'time')).toEqual(new Date('2026-03-10T15:30:07Z'));
  expect(xlsxCell('2026-03-10', 'day')).toEqual(new Date('2026-03-10T00:00:00Z'));
  expect(xlsxCell('', 'time')).toBe('');
  expect(xlsxCell('Opening balance', 'time')).toBe('Opening balance');
  expect(xlsxCell('2026-03-10', 'text')).toBe('2026-03-10');
});
