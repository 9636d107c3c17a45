import type { TableOwner } from './table-owner.ts';

/** The tombstones of what restores have undone. */
export const UNDONE_TABLES = {
  undone_draws: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'the public page of a draw shows it as it was before a restore',
      tickets: 'a ticket that a restore has undone is shown with its draw',
    },
    clearing: { stays: 'what a restore has undone is shown as long as the network is there' },
  },
  undone_tickets: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: { tickets: 'a ticket that a restore has undone is shown, and its request makes no other' },
    clearing: { stays: 'what a restore has undone is shown as long as the network is there' },
  },
} satisfies Record<string, TableOwner>;
