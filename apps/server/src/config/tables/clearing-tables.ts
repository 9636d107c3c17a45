import type { TableOwner } from './table-owner.ts';

export const CHECKPOINT: TableOwner = {
  owner: 'clearing',
  clearing: { stays: 'proves the remaining rows' },
};

/** In backup loading order. */
export const CLEARED_TABLES = {
  clearings: {
    ...CHECKPOINT,
    readers: {
      draws: 'outcome statistics leave cleared days out; a missing draw may have been cleared',
      activity: 'history lists mention what was cleared from their period',
      weeks: 'credit of cleared days counts as it was when the week was closed',
    },
  },
  wallet_gaps: { ...CHECKPOINT, readers: { ledger: "a wallet's history skips cleared movements" } },
  activity_gaps: CHECKPOINT,
  cleared_draws: {
    ...CHECKPOINT,
    readers: {
      reports: 'single settlements of a quarter-hour may be cleared; the quarter then counts as a whole',
      tickets: 'totals of draws with cleared tickets',
      draws: 'a missing draw may have been cleared',
    },
  },
  cleared_results: {
    ...CHECKPOINT,
    readers: { activity: 'the log hides these rows from everyone but superadmins' },
  },
  cleared_requests: {
    ...CHECKPOINT,
    readers: { tickets: 'a request whose ticket was cleared makes no new ticket' },
  },
  cleared_days: {
    ...CHECKPOINT,
    readers: { liability: 'a day may be summed again after some of its movements were cleared' },
  },
  cleared_marks: CHECKPOINT,
  cleared_remainders: CHECKPOINT,
} as const satisfies Readonly<Record<string, TableOwner>>;
