import type { TableOwner } from './table-owner.ts';

export const LOG_TABLES: Readonly<Record<string, TableOwner>> = {
  activity: {
    owner: 'activity',
    ofNetwork: true,
    backup: 'of the network',
    ofRoot: { chain: 'chain' },
    readers: {
      accounts: 'of what a restore brings back, accounts stay that were deactivated or deleted since',
      clearing: 'of the log the rows between two days are cleared, some at a time',
      notices: 'the log of the root tells of clearings and restores',
    },
    clearing: {
      userlog: 'sign-ins and changes that prove nothing which is still there',
      upcome: 'percentages and limits that others have followed',
      result: 'what was saved, replaced and confirmed is hidden from the network; the superadmin still sees it',
      draw: 'that the draws opened',
    },
  },
  activity_heads: {
    owner: 'activity',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'the log goes on from where it ends' },
  },
  pending_changes: {
    owner: 'activity',
    ofNetwork: false,
    backup: { left: 'the log of the same transaction names them' },
    clearing: { stays: 'they are gone once the log names them' },
  },
};
