import { describe, expect, it } from 'vitest';
import { rowsBetween } from './useSelection.ts';

const ROWS = ['a', 'b', 'c', 'd'];
const between = (from: string | null, to: string) => rowsBetween(ROWS, (row) => row, from, to).join('');

describe('rows ticked with Shift', () => {
  it('reaches in both directions, with both ends', () => {
    expect(between('b', 'd')).toBe('bcd');
    expect(between('c', 'a')).toBe('abc');
    expect(between('c', 'c')).toBe('c');
  });

  it('is one row without a last row on this page', () => {
    expect(between(null, 'c')).toBe('c');
    expect(between('of another page', 'c')).toBe('c');
  });
});
