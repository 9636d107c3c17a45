import type { InClearing, TableOwner } from './table-owner.ts';

const STAYS: InClearing = { stays: 'what a restore has undone is shown as long as the network is there' };

export const UNDONE_TABLES = {
  undone_draws: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'the public page of a draw shows it as it was before a restore',
      tickets: 'a ticket that a restore has undone is shown with its draw',
      reports: 'so is one that is looked up in the Bet List',
    },
    clearing: STAYS,
  },
  undone_tickets: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      tickets: 'a ticket that a restore has undone is shown, and its request makes no other',
      reports: 'the Bet List says how many tickets a restore has undone, and shows one that is looked up',
    },
    clearing: STAYS,
  },
  undone_clearings: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: { draws: 'a draw or a ticket that is gone may be one of those that were cleared' },
    clearing: STAYS,
  },
  undone_cleared: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: {
      draws: 'a draw that is gone may be one of them',
      tickets: 'no ticket is made again of a request whose ticket was cleared',
    },
    clearing: STAYS,
  },
} satisfies Record<string, TableOwner>;
