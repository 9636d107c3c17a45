import { expect, test } from 'vitest';
import { rowTarget } from './rowTarget.ts';

const COUNT = { row: 100, button: 2 };

test.each([
  ['ArrowDown', { row: 3, button: 0 }, { among: 'numbers', index: 4 }],
  ['ArrowDown', { row: 3, button: 1 }, { among: 'numbers', index: 4 }],
  ['ArrowUp', { row: 3, button: 1 }, { among: 'numbers', index: 2 }],
  ['End', { row: 3, button: 0 }, { among: 'numbers', index: 99 }],
  ['ArrowRight', { row: 3, button: 0 }, { among: 'buttons', index: 1 }],
  ['ArrowLeft', { row: 3, button: 1 }, { among: 'buttons', index: 0 }],
  // Rows do not wrap.
  ['ArrowRight', { row: 3, button: 1 }, null],
  ['ArrowLeft', { row: 3, button: 0 }, null],
  ['ArrowUp', { row: 0, button: 1 }, null],
  ['ArrowDown', { row: 99, button: 0 }, null],
  ['Tab', { row: 3, button: 0 }, null],
])('%s at %o leads to %o', (key, at, target) => {
  expect(rowTarget(key, at, COUNT)).toEqual(target);
});

test('sideways keys do nothing in a row of one button', () => {
  expect(rowTarget('ArrowRight', { row: 3, button: 0 }, { row: 100, button: 1 })).toBeNull();
});
