import type { TableOwner, InClearing } from './table-owner.ts';

const CHECKPOINT: TableOwner = {
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

export const RESTORE_TABLES = {
  staged_networks: {
    owner: 'backup',
    backup: { left: 'a staged copy is not a network, or no longer one' },
    readers: {
      activity: 'writes to a staged copy are attributed to its admin',
      ledger: 'a staged copy becomes a network',
    },
    clearing: { stays: 'staged copies are never cleared' },
  },
  restores: {
    owner: 'backup',
    ofRoot: { root_log_from: 'log', root_log_until: 'log', root_version_from: 'border', root_version_until: 'border' },
    readers: {
      credit: 'statements skip what a restore undid on the other side of a boundary',
    },
    clearing: CHECKPOINT.clearing,
  },
  undone_activity: {
    owner: 'backup',
    ofRoot: { seq: 'log' },
    clearing: CHECKPOINT.clearing,
  },
  moves: {
    owner: 'backup',
    readers: {
      credit: 'statements find the other side of a boundary by the versions that count since',
      cells: "a network's moves count its cells",
    },
    clearing: CHECKPOINT.clearing,
  },
  moved_activity: {
    owner: 'backup',
    ofRoot: { seq: 'log' },
    readers: {
      credit: 'statements name who gave credit elsewhere',
      reports: 'transfers name who made them elsewhere',
      protection: 'changes name who made them elsewhere',
    },
    clearing: { stays: 'proves what happened elsewhere' },
  },
} satisfies Record<string, TableOwner>;

const KEEP_REASONS: InClearing = { stays: 'undone rows are shown as long as the network exists' };

export const TOMBSTONE_TABLES = {
  undone_draws: {
    owner: 'backup',
    readers: {
      draws: 'the public page shows a draw as it was before a restore',
      tickets: 'undone tickets are shown with their draw',
      reports: 'so are those found by number in the Bet List',
    },
    clearing: KEEP_REASONS,
  },
  undone_tickets: {
    owner: 'backup',
    readers: {
      tickets: 'undone tickets are shown, and their requests make no new ticket',
      reports: 'the Bet List counts undone tickets, and finds them by number',
    },
    clearing: KEEP_REASONS,
  },
  undone_clearings: {
    owner: 'backup',
    readers: { draws: 'a missing draw or ticket may have been cleared' },
    clearing: KEEP_REASONS,
  },
  undone_cleared: {
    owner: 'backup',
    readers: {
      draws: 'a missing draw may have been cleared',
      tickets: 'a request whose ticket was cleared makes no new ticket',
    },
    clearing: KEEP_REASONS,
  },
} satisfies Record<string, TableOwner>;

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
