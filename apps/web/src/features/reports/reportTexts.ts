import type { VOID_CAUSE } from '@drawhouse/contract/draws/draws';
import { formatDateTime } from '../../lib/format/format.ts';

export const betListTexts = {
  title: 'Game History',
  empty: 'No history found for this game.',
  drawn: 'Drawn',
  viewResults: 'View Results',
  groupedResults: 'Grouped Results',
  noResults: 'No results found for this ticket',
  view: 'View',
  ticketDetails: 'Ticket Details',
  ofDraw: (drawsAt: string | undefined) => (drawsAt === undefined ? 'One draw' : `Draw of ${formatDateTime(drawsAt)}`),
  undone: (at: string) => `A restore on ${formatDateTime(at)} undid this ticket. It no longer counts.`,
  series: 'Series',
  subseries: 'Sub-series',
  player: 'User',
  allGames: 'All games',
  allPlayers: 'All players',
  source: { declared: 'Declared by an operator', generated: 'Generated from the committed seed' },
  voidCause: {
    operator: 'An operator voided the draw. The stake was refunded.',
    seed: 'The draw’s seed could not be read, so its result could not be proven. The stake was refunded.',
    wins: 'The draw’s wins exceeded what the books can hold. The stake was refunded.',
    restore: 'The draw was open in a backup that was restored. The stake was refunded.',
    beacon: 'A beacon did not publish its value in time. The stake was refunded.',
    root: 'Bets were not sealed before the beacon’s value could be known. The stake was refunded.',
    outside: 'No outside result was entered before its deadline. The stake was refunded.',
  } satisfies Record<(typeof VOID_CAUSE)[number], string>,
  notDrawn: 'This ticket’s draw has no result yet.',
  outside: (source: string): string => `Result of ${source}`,
  corrected: (at: string): string => `Corrected ${formatDateTime(at)}`,
  awaits: (source: string): string => `Waiting for the result of ${source}.`,
  checkDraw: 'Check this draw',
} as const;

export const transactionTexts = {
  title: 'Transaction Report',
  date: 'Date',
  user: 'User',
  sideOf: (username: string) => `Credit: received by ${username}. Debit: taken from ${username}.`,
  sideOfLower: 'Credit: received by the account lower in the network. Debit: taken from it.',
  empty: {
    title: 'No transfers on this day',
    text: 'Every movement of credit is listed here: given, taken back, bet, won, earned or paid out.',
  },
  yesterday: 'Show the previous day',
  phone: { transfer: 'Transfer', amount: 'Amount' },
} as const;
