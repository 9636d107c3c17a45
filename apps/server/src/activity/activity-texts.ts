/** Answers of the calls about the log, and of work on whole networks. */
export const ACTIVITY_TEXTS = {
  notBelow: 'Choose yourself or an account below you',
  tooManyEntries: 'Too many log entries. Please wait a minute.',
  noEntry: 'This log entry was not found.',
  cleared: (what: string, days: string): string => `Cleared history is not listed: ${what}, ${days}.`,
  connectionBroke: 'The connection to the database broke. Please start again.',
  unforeseen: 'Something went wrong. See the server log.',
  interrupted: 'The server stopped before this was finished. Please start it again.',
  stopped: 'The server was stopped.',
  moving: 'This network is moving to another server. Nothing was changed. Please try again in a few seconds.',
  waiting: 'Waiting for bets and payments to finish',
  workBy: (kind: string, username: string): string => `${kind} by ${username}`,
  otherWork: 'Another operation is running on this network',
  tryLater: (what: string): string => `${what}. Please wait until it has finished.`,
  refused: (times: number): string => `Refused ${times === 1 ? 'once' : `${times} times`}: outside its authority`,
} as const;
