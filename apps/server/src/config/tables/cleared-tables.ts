import type { TableOwner } from './table-owner.ts';

export const CHECKPOINT: TableOwner = {
  owner: 'clearing',
  ofNetwork: true,
  backup: 'of the network',
  clearing: { stays: 'what is left is proved by it' },
};

/** In backup loading order. */
export const CLEARED_TABLES = {
  clearings: {
    ...CHECKPOINT,
    readers: {
      draws:
        'how often each outcome came leaves out the days that were cleared; a draw that is gone may be one of them',
      activity: 'lists of history say what was cleared of their time',
    },
  },
  wallet_gaps: { ...CHECKPOINT, readers: { ledger: 'the history of a wallet goes on over what was cleared of it' } },
  activity_gaps: CHECKPOINT,
  cleared_draws: {
    ...CHECKPOINT,
    readers: {
      reports: 'single settlements of a quarter of an hour may be gone: then it counts whole',
      tickets: 'what a draw came to whose tickets were cleared',
      draws: 'a draw that is gone may be one of them',
    },
  },
  cleared_results: {
    ...CHECKPOINT,
    readers: { activity: 'the log leaves hidden rows out for everyone but the superadmin' },
  },
  cleared_requests: {
    ...CHECKPOINT,
    readers: { tickets: 'no ticket is made again of a request whose ticket was cleared' },
  },
  cleared_days: {
    ...CHECKPOINT,
    readers: { liability: 'a day may be summed again after movements of it were cleared' },
  },
  cleared_marks: CHECKPOINT,
  cleared_remainders: CHECKPOINT,
} as const satisfies Readonly<Record<string, TableOwner>>;
