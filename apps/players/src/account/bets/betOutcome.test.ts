import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { expect, it } from 'vitest';
import { noResultWords, noWinWords } from './betOutcome.ts';

const bet = (status: PlayerTicket['status'], drawStatus: PlayerTicket['draw']['status']) =>
  ({ status, draw: { status: drawStatus, drawsAt: '2026-03-10T12:00:00.000Z' } }) as PlayerTicket;

it('promises a result only for open bets, not void or undone ones', () => {
  expect(noResultWords(bet('open', 'open'))).toMatch(/^At 10 Mar, /);
  expect(noResultWords(bet('undone', 'open'))).toBe('None: undone');
  expect(noResultWords(bet('void', 'void'))).toBe('None: the draw is void');
  expect(noWinWords('open')).toBe('Pending');
  expect([noWinWords('undone'), noWinWords('void')]).toEqual(['–', '–']);
});
