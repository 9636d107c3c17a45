import type { TableOwner } from './table-owner.ts';

export const LOG_TABLES: Readonly<Record<string, TableOwner>> = {
  activity: {
    owner: 'activity',
    ofRoot: { chain: 'chain' },
    readers: {
      credit: 'sums what a login gave today',
      accounts: 'accounts deactivated or deleted since the backup stay so after a restore',
      clearing: 'clears the log rows between two days in pieces',
      notices: "the root's log shows clearings and restores",
    },
    clearing: {
      userlog: 'sign-ins and changes that prove no remaining row',
      upcome: 'percentages and limits with later changes',
      result: 'saves, replacements and confirmations are hidden from the network; superadmins still see them',
      draw: 'openings of draws',
    },
  },
  activity_heads: {
    owner: 'activity',
    clearing: { stays: 'the log continues from its end' },
  },
  pending_changes: {
    owner: 'activity',
    backup: { left: 'log rows of the same transaction name them' },
    clearing: { stays: 'deleted once the log names them' },
  },
};
