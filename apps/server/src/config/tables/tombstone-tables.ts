import type { InClearing, TableOwner } from './table-owner.ts';

const STAYS: InClearing = { stays: 'undone rows are shown as long as the network exists' };

export const TOMBSTONE_TABLES = {
  undone_draws: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'the public page shows a draw as it was before a restore',
      tickets: 'undone tickets are shown with their draw',
      reports: 'so are those found by number in the Bet List',
    },
    clearing: STAYS,
  },
  undone_tickets: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      tickets: 'undone tickets are shown, and their requests make no new ticket',
      reports: 'the Bet List counts undone tickets, and finds them by number',
    },
    clearing: STAYS,
  },
  undone_clearings: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: { draws: 'a missing draw or ticket may have been cleared' },
    clearing: STAYS,
  },
  undone_cleared: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'a missing draw may have been cleared',
      tickets: 'a request whose ticket was cleared makes no new ticket',
    },
    clearing: STAYS,
  },
} satisfies Record<string, TableOwner>;
