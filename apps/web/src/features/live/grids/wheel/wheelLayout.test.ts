import { expect, test } from 'vitest';
import { wheelLayout } from './wheelLayout.ts';

const COLUMNS = 13;

test('a table stands upright on a phone, and where its cells would be too narrow', () => {
  expect(wheelLayout(1_000, COLUMNS, true).upright).toBe(true);
  expect(wheelLayout(13 * 50, COLUMNS, false).upright).toBe(false);
  expect(wheelLayout(13 * 50 - 1, COLUMNS, false).upright).toBe(true);
});

test('the wider its cells, the more they say, and upright their number takes of the room', () => {
  expect(wheelLayout(800, COLUMNS, false).says).toBe('least');
  expect(wheelLayout(13 * 84 + 12 * 4, COLUMNS, false)).toEqual({ upright: false, widthPx: 84, says: 'pays' });
  expect(wheelLayout(13 * 140 + 12 * 4, COLUMNS, false).says).toBe('names');
  expect(wheelLayout(3 * 140 + 2 * 4, COLUMNS, true)).toEqual({ upright: true, widthPx: 96, says: 'least' });
  expect(wheelLayout(3 * 184 + 2 * 4, COLUMNS, true).says).toBe('names');
});

test('dragging a window tells the cells another room at every few px alone', () => {
  const rooms = new Set(
    Array.from({ length: 52 }, (_, px) => wheelLayout(13 * 84 + 12 * 4 + px, COLUMNS, false).widthPx),
  );
  expect([...rooms]).toEqual([84]);
});
