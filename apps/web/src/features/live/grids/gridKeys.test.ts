import { describe, expect, test } from 'vitest';
import { arrowTarget, arrowTargetAmong, NO_TYPING, typeDigit, TYPING_MS, rowTarget } from './gridKeys.ts';

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowLeft', 0, null],
  ['ArrowDown', 2, 7],
  ['ArrowDown', 7, null],
  ['ArrowUp', 7, 2],
  ['ArrowUp', 2, null],
  ['Home', 7, 0],
  ['End', 2, 9],
  ['End', 9, null],
  ['a', 2, null],
])('%s from %d leads to %s in 2 rows of 5', (key, index, target) => {
  expect(arrowTarget(key, index, 10, 5)).toBe(target);
});

function drawn(...lines: string[]) {
  const letters = [...new Set(lines.join('').replaceAll(' ', ''))].toSorted();
  const boxes = letters.map((letter) => {
    const places = lines.flatMap((line, y) => [...line].flatMap((each, x) => (each === letter ? [{ x, y }] : [])));
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) * 10, Math.min(...ys) * 10];
    return { left, top, width: Math.max(...xs) * 10 + 10 - left, height: Math.max(...ys) * 10 + 10 - top };
  });
  return (key: string, from: string) => letters[arrowTargetAmong(key, letters.indexOf(from), boxes) ?? -1] ?? null;
}

test('arrows follow the table: from a zero spanning rows, and across short rows', () => {
  const wheel = drawn('zcf', 'zcf', 'zbe', 'yad', 'yad', 'yad');
  expect(wheel('ArrowRight', 'z')).toBe('c');
  expect(wheel('ArrowRight', 'y')).toBe('a');
  expect(['c', 'b', 'a'].map((from) => wheel('ArrowLeft', from))).toEqual(['z', 'z', 'y']);
  expect(['ArrowUp', 'ArrowDown', 'ArrowRight'].map((key) => wheel(key, 'e'))).toEqual(['f', 'd', null]);
  expect(wheel('ArrowDown', 'z')).toBe('y');
  expect([wheel('Home', 'e'), wheel('End', 'e'), wheel('x', 'e')]).toEqual(['a', 'z', null]);

  const cards = drawn('abcd', ' ee ', 'fghi');
  expect(cards('ArrowDown', 'b')).toBe('e');
  expect(cards('ArrowDown', 'a')).toBe('f');
  expect(cards('ArrowUp', 'e')).toBe('b');
  expect(drawn('abc', 'd  ')('ArrowDown', 'c')).toBe('d');
});

describe('typing a number', () => {
  const twelve = Array.from({ length: 12 }, (_, i) => String(i + 1));

  test('one digit selects immediately, a second continues', () => {
    const one = typeDigit(NO_TYPING, '1', 1_000, twelve);
    expect(one.drawno).toBe('1');
    expect(typeDigit(one.typing, '2', 1_500, twelve).drawno).toBe('12');
  });
  test('an invalid second digit starts over', () => {
    const one = typeDigit(NO_TYPING, '1', 1_000, twelve);
    expect(typeDigit(one.typing, '7', 1_500, twelve).drawno).toBe('7');
  });
  test('starts over after a pause', () => {
    const one = typeDigit(NO_TYPING, '1', 1_000, twelve);
    expect(typeDigit(one.typing, '2', 1_001 + TYPING_MS, twelve).drawno).toBe('2');
  });
  test('padded numbers are typed as shown', () => {
    const two = typeDigit(typeDigit(NO_TYPING, '0', 1, ['00', '07']).typing, '7', 2, ['00', '07']);
    expect(two.drawno).toBe('07');
  });
  test('unknown numbers select nothing', () => {
    expect(typeDigit(NO_TYPING, '0', 1_000, twelve).drawno).toBeNull();
  });
});

const COUNT = { row: 100, button: 2 };

test.each([
  ['ArrowDown', { row: 3, button: 0 }, { among: 'numbers', index: 4 }],
  ['ArrowDown', { row: 3, button: 1 }, { among: 'numbers', index: 4 }],
  ['ArrowUp', { row: 3, button: 1 }, { among: 'numbers', index: 2 }],
  ['End', { row: 3, button: 0 }, { among: 'numbers', index: 99 }],
  ['ArrowRight', { row: 3, button: 0 }, { among: 'buttons', index: 1 }],
  ['ArrowLeft', { row: 3, button: 1 }, { among: 'buttons', index: 0 }],
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
