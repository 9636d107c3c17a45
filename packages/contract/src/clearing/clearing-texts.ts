/** Listed in clearing order: each step frees rows for the next. */
export const CLEARING_MODELS = {
  frequency: {
    title: 'Frequencies',
    row: 'result',
    rows: 'results',
    text: 'Outcome counts leave out the results of these days. The results themselves stay.',
  },
  usertransaction: {
    title: 'Player movements',
    row: 'movement',
    rows: 'movements',
    text: 'Bets, wins, claims and refunds in the statements of players. A line with their sums replaces them.',
  },
  refertransaction: {
    title: 'Credit transfers',
    row: 'movement',
    rows: 'movements',
    text: 'Credit given, taken back and paid out between an account and its parent. A line with their sums replaces them.',
  },
  commission: {
    title: 'Commission movements',
    row: 'movement',
    rows: 'movements',
    text: 'Commission that has been paid out. Pending commission stays.',
  },
  ticket: {
    title: 'Tickets',
    row: 'ticket',
    rows: 'tickets',
    text: 'Settled and void tickets with their lines and wins. Daily turnover stays.',
  },
  result: {
    title: 'Saved results',
    row: 'log entry',
    rows: 'log entries',
    text:
      'Saves, replacements and confirmations that led to a result. The result stays with its draw, and the superadmin ' +
      'still sees these entries.',
  },
  draw: {
    title: 'Draws',
    row: 'draw',
    rows: 'draws',
    text: 'Draws without tickets, and draws whose tickets are cleared. Their public proof is removed too.',
  },
  upcome: {
    title: 'Past settings',
    row: 'log entry',
    rows: 'log entries',
    text: 'Win percentages and limits that have since been replaced.',
  },
  userlog: {
    title: 'Activity log',
    row: 'log entry',
    rows: 'log entries',
    text: 'Sign-ins and changes. Entries that prove accounts or clearings stay.',
  },
  user: {
    title: 'Deleted accounts',
    row: 'account',
    rows: 'accounts',
    text: 'Names, notes and addresses of accounts deleted in these days. Their unique ids stay.',
  },
} as const;
export type ClearingModel = keyof typeof CLEARING_MODELS;
export const CLEARING_ORDER = Object.keys(CLEARING_MODELS) as [ClearingModel, ...ClearingModel[]];

export function rowsName(model: ClearingModel, count: number | bigint): string {
  const { row, rows } = CLEARING_MODELS[model];
  return Number(count) === 1 ? row : rows;
}

export const KEEP_REASONS = {
  border: 'between networks, with the other half in another network’s books',
  unpaid: 'with commission that is not paid out yet',
  undrawn: 'of draws that have not ended',
  unclaimed: 'of wins that wait to be claimed',
  corrected: 'of draws with a corrected result',
  tickets: 'with tickets that are still there',
  newest: 'that are the newest of their game',
  together: 'opened and proved together with one that stays',
  clearing: 'about clearings',
  account: 'that prove accounts, their parents and their commission',
  last: 'of an account’s last sign-in',
  'in force': 'in force now',
  draws: 'that existing draws depend on',
  credit: 'with credit left',
} as const;
export type KeepReason = keyof typeof KEEP_REASONS;

/** The first three are from docs/spec/accounts-and-credit.md §5 and §8. */
export const CLEARING_TEXTS = {
  dates: 'Please select start and end date.',
  models: 'Select at least one model to clear',
  failed: 'Failed to delete records',
  modelTwice: 'Name each model once',
} as const;
