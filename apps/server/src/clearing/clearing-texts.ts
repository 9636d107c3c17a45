export const CLEARING_ANSWERS = {
  nothing: (why: string): string => `Nothing was cleared. ${why}`,
  noSuchDay: 'That day does not exist.',
  onceADay: 'Nothing was cleared: history can be cleared once a day. Try again tomorrow.',
  backupFailed: (reason: string): string => `Nothing was cleared, because the backup before it failed. ${reason}`,
  endBeforeStart: 'The end is before the start',
  notClosed: (last: string | null): string =>
    'A day can be cleared once its books are closed, an hour after it ends. ' +
    `${last === null ? 'No day is closed yet' : `The last closed day is ${last}`}.`,
  inFuture: 'These days are in the future.',
  kept: (last: string, days: number): string =>
    `Days after ${last} are kept: today and the ${days} days before it (RETENTION_DAYS).`,
  openWeeks: (last: string): string =>
    `Days after ${last} are kept: they belong to open weeks, or a restore changed them since the last closing.`,
  todayKept: 'Today is not over, so it is kept.',
  between: (first: string, last: string): string => `from ${first} to ${last}`,
  nothingToClear: (span: string): string => `Nothing to clear ${span}.`,
  cleared: (span: string): string => `Cleared the history ${span}.`,
} as const;

export const CLEARING_SUBJECTS = {
  clear: (first: string, last: string): string => `Clear history from ${first} to ${last}`,
  started: (first: string, last: string): string => `Started clearing history from ${first} to ${last}`,
  namesCleared: 'Cleared the names of deleted accounts',
  cleared: (first: string, last: string): string => `Cleared history from ${first} to ${last}`,
  finished: 'Finished an interrupted clearing of history',
} as const;
