import { expect, test } from 'vitest';
import { wheelLayout } from './wheelLayout.ts';

const COLUMNS = 13;

test('the table is upright on a phone and when cells would be too narrow', () => {
  expect(wheelLayout(1_000, COLUMNS, true).upright).toBe(true);
  expect(wheelLayout(13 * 50, COLUMNS, false).upright).toBe(false);
  expect(wheelLayout(13 * 50 - 1, COLUMNS, false).upright).toBe(true);
});

test('wider cells show more, and upright ones give room to the number', () => {
  expect(wheelLayout(800, COLUMNS, false).detail).toBe('least');
  expect(wheelLayout(13 * 84 + 12 * 4, COLUMNS, false)).toEqual({ upright: false, widthPx: 84, detail: 'pays' });
  expect(wheelLayout(13 * 140 + 12 * 4, COLUMNS, false).detail).toBe('names');
  expect(wheelLayout(3 * 140 + 2 * 4, COLUMNS, true)).toEqual({ upright: true, widthPx: 96, detail: 'least' });
  expect(wheelLayout(3 * 184 + 2 * 4, COLUMNS, true).detail).toBe('names');
});

test('resizing changes cell sizes only every few pixels', () => {
  const rooms = new Set(
    Array.from({ length: 52 }, (_, px) => wheelLayout(13 * 84 + 12 * 4 + px, COLUMNS, false).widthPx),
  );
  expect([...rooms]).toEqual([84]);
});
