import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { expect, it } from 'vitest';
import { filtersPath, noResultText, noWinText, readFilters } from './betStates.ts';

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

const bet = (status: PlayerTicket['status'], drawStatus: PlayerTicket['draw']['status']) =>
  ({ status, draw: { status: drawStatus, drawsAt: '2026-03-10T12:00:00.000Z' } }) as PlayerTicket;

it('promises a result only for open bets, not void or undone ones', () => {
  expect(noResultText(bet('open', 'open'))).toMatch(/^At 10 Mar, /);
  expect(noResultText(bet('undone', 'open'))).toBe('None: undone');
  expect(noResultText(bet('void', 'void'))).toBe('None: the draw is void');
  expect(noWinText('open')).toBe('Pending');
  expect([noWinText('undone'), noWinText('void')]).toEqual(['–', '–']);
});
