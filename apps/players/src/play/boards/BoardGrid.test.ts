import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWalkKey, walk, type CellBox, type WalkKey } from './BoardGrid.tsx';

const grid = (count: number, inRow: number): CellBox[] =>
  Array.from({ length: count }, (_, index) => ({
    left: (index % inRow) * 60,
    top: Math.floor(index / inRow) * 50,
    width: 56,
    height: 46,
  }));

it('arrows follow the wrapped cells and stop at the edge', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 12 }), fc.nat(), (count, inRow, any) => {
      const boxes = grid(count, inRow);
      const from = any % count;
      const column = from % inRow;
      expect(walk(boxes, from, 'ArrowRight')).toBe(column + 1 < inRow && from + 1 < count ? from + 1 : from);
      expect(walk(boxes, from, 'ArrowLeft')).toBe(column > 0 ? from - 1 : from);
      expect(walk(boxes, from, 'ArrowUp')).toBe(from >= inRow ? from - inRow : from);
      if (from + inRow < count) expect(walk(boxes, from, 'ArrowDown')).toBe(from + inRow);
      expect(walk(boxes, from, 'Home')).toBe(0);
      expect(walk(boxes, from, 'End')).toBe(count - 1);
    }),
  );
});

it('arrows lead from a wide cell down and back', () => {
  const zero = { left: 0, top: 0, width: 180, height: 46 };
  const boxes = [zero, ...grid(6, 3).map((box) => ({ ...box, top: box.top + 50 }))];
  expect(walk(boxes, 0, 'ArrowDown')).toBe(2);
  for (const below of [1, 2, 3]) expect(walk(boxes, below, 'ArrowUp')).toBe(0);
  expect(walk(boxes, 0, 'ArrowRight')).toBe(0);
});

it('down goes to the nearest cell of a short last row', () => {
  expect(walk(grid(7, 5), 4, 'ArrowDown')).toBe(6);
});

it('recognizes its keys', () => {
  const keys: WalkKey[] = ['ArrowLeft', 'Home'];
  expect(keys.every(isWalkKey)).toBe(true);
  expect(isWalkKey('Enter')).toBe(false);
});
