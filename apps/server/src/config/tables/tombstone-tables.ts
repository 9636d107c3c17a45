import type { InClearing, TableOwner } from './table-owner.ts';

const KEEP_REASONS: InClearing = { stays: 'undone rows are shown as long as the network exists' };

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
    clearing: KEEP_REASONS,
  },
  undone_tickets: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      tickets: 'undone tickets are shown, and their requests make no new ticket',
      reports: 'the Bet List counts undone tickets, and finds them by number',
    },
    clearing: KEEP_REASONS,
  },
  undone_clearings: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: { draws: 'a missing draw or ticket may have been cleared' },
    clearing: KEEP_REASONS,
  },
  undone_cleared: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'a missing draw may have been cleared',
      tickets: 'a request whose ticket was cleared makes no new ticket',
    },
    clearing: KEEP_REASONS,
  },
} satisfies Record<string, TableOwner>;
