import type { VOID_CAUSE } from '@drawhouse/contract/draws/draws';
import { formatDateTime } from '../../../lib/format.ts';

export const betListTexts = {
  title: 'Game History',
  empty: 'No history found for this game.',
  viewResults: 'View Results',
  groupedResults: 'Grouped Results',
  noResults: 'No results found for this ticket',
  view: 'View',
  ticketDetails: 'Ticket Details',
  notBelow: (ticket: string) => `There is no ticket ${ticket} of a player below you.`,
  undone: (at: string) => `This ticket was undone by a restore on ${formatDateTime(at)}. It counts for nothing.`,
  series: 'Series',
  subseries: 'Sub-series',
  player: 'User',
  allGames: 'All games',
  allPlayers: 'All players',
  source: { declared: 'Declared by an operator', generated: 'Generated from the committed seed' },
  voidCause: {
    operator: 'An operator voided the draw, and the stake was given back.',
    seed: 'The seed of the draw could not be read, so that nothing would have proved its result. The stake was given back.',
    wins: 'The wins of the draw came to more than the books can hold. The stake was given back.',
    restore: 'The draw was under way in a backup that was restored, and the stake was given back.',
    beacon: 'A beacon did not publish its value in time, and the stake was given back.',
    root: 'Bets were not sealed before the value of the beacon could be known. The stake was given back.',
  } satisfies Record<(typeof VOID_CAUSE)[number], string>,
  notDrawn: 'The draw of this ticket has no result yet.',
  checkDraw: 'Check this draw',
} as const;
