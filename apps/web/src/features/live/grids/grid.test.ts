import { expect, test } from 'vitest';
import { boosterOf, mayTake } from './grid.ts';

test('a result pays with its saved booster until changed', () => {
  const result = { selection: { number: '7' }, booster: 3 };
  expect(boosterOf({ selection: {}, result, booster: 2 }, 'number', '7')).toBe(3);
  expect(boosterOf({ selection: { number: '7' }, result, booster: 2 }, 'number', '7')).toBe(2);
  expect(boosterOf({ selection: { number: '8' }, result, booster: 2 }, 'number', '8')).toBe(2);
  expect(boosterOf({ selection: {}, result, booster: 2 }, 'color', '7')).toBe(2);
  expect(boosterOf({ selection: {}, result: null, booster: 2 }, 'number', '7')).toBe(2);
});

test('a typed number is chosen unless already chosen or locked', () => {
  const selection = { '3000': '3042' };
  expect(mayTake({ selection, disabled: false }, '3000', '3043')).toBe(true);
  expect(mayTake({ selection, disabled: false }, '3100', '3142')).toBe(true);
  expect(mayTake({ selection, disabled: false }, '3000', '3042')).toBe(false);
  expect(mayTake({ selection, disabled: true }, '3000', '3043')).toBe(false);
});
