import { expect, it } from 'vitest';
import { filtersPath, readFilters } from './betFilters.ts';

const read = (text: string) => readFilters(new URLSearchParams(text));

it('an address survives a round trip and ignores invalid values', () => {
  for (const filters of [
    { gameId: null, status: null, period: 'quarter' },
    { gameId: 'pFvIwZHj!', status: 'won', period: 'week' },
    { gameId: null, status: 'void', period: 'today' },
  ] as const)
    expect(readFilters(new URL(filtersPath(filters), 'http://h').searchParams)).toEqual(filters);
  expect(read('status=anything&period=year&game=')).toEqual({ gameId: null, status: null, period: 'quarter' });
  expect(filtersPath(read(''))).toBe('/mine/bets');
});
