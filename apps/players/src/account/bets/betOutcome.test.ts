import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { expect, it } from 'vitest';
import { noResultText, noWinText } from './betOutcome.ts';

const bet = (status: PlayerTicket['status'], drawStatus: PlayerTicket['draw']['status']) =>
  ({ status, draw: { status: drawStatus, drawsAt: '2026-03-10T12:00:00.000Z' } }) as PlayerTicket;

it('promises a result only for open bets, not void or undone ones', () => {
  expect(noResultText(bet('open', 'open'))).toMatch(/^At 10 Mar, /);
  expect(noResultText(bet('undone', 'open'))).toBe('None: undone');
  expect(noResultText(bet('void', 'void'))).toBe('None: the draw is void');
  expect(noWinText('open')).toBe('Pending');
  expect([noWinText('undone'), noWinText('void')]).toEqual(['–', '–']);
});
