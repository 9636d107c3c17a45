export const WEEK_TEXTS = {
  notBelow: 'Choose an account below you',
  notOwn: 'The account above you records what you pay and are paid.',
  recorded: 'Payment recorded.',
  reversed: 'Payment reversed.',
  noPayment: 'Choose a payment of an account below you',
  isReversal: "A reversal can't be reversed.",
  alreadyReversed: 'This payment has already been reversed.',
  termsSet: 'Terms set.',
  closed: 'Week closed.',
  noted: 'Note added.',
  refillMissing: 'Enter the credit that each account gets',
  notOver: (day: string): string => `This week is not over. It can be closed after ${day}.`,
  notDirectlyBelow: 'Choose an account directly below you',
  alreadyClosed: (username: string): string => `The week of ${username} is already closed.`,
  balanceChanged: (username: string, balance: string): string =>
    `The balance of ${username} is ${balance} now. Check the sheet again before you close it.`,
  disputed: (username: string): string => `A line of ${username} is disputed. Answer the dispute first.`,
  noSheet: 'A superadmin has nobody above to settle with.',
  remindsBelow: 'Only the account above sends reminders.',
  noDispute: 'No line of this week is disputed.',
  transferNote: (from: string, to: string): string => `Week ${from} to ${to}`,
} as const;

export const WEEK_PAYMENTS = {
  in: (username: string): string => `Received from ${username}`,
  out: (username: string): string => `Paid to ${username}`,
} as const;

export const WEEK_SUBJECTS = {
  received: (points: string, username: string, method: string): string =>
    `Received ${points} from ${username} (${method})`,
  paid: (points: string, username: string, method: string): string => `Paid ${points} to ${username} (${method})`,
  reversed: (points: string, username: string): string => `Reversed the payment of ${points} with ${username}`,
  closed: (username: string, from: string, to: string, balance: string): string =>
    `Closed the week ${from} to ${to} of ${username} with a balance of ${balance}`,
  closedMany: (accounts: number, from: string, to: string): string =>
    `Closed the week ${from} to ${to} of ${accounts} accounts`,
  balanceOf: (username: string, from: string): string => `Balance of ${username}, week of ${from}`,
  inWords: (points: string, method: string): string => `${points} (${method})`,
  noted: {
    note: (username: string, from: string): string => `Added a note to the week of ${username} from ${from}`,
    dispute: (username: string, from: string): string => `Disputed the week of ${username} from ${from}`,
    reminder: (username: string, from: string): string => `Reminded ${username} of the week from ${from}`,
    answer: (username: string, from: string): string =>
      `Answered the dispute about the week of ${username} from ${from}`,
  },
  terms: (username: string, from: string): string => `Set the terms of ${username} from ${from}`,
  termsOf: (username: string): string => `Terms of ${username}`,
  termsInWords: (share: string, commission: string): string => `${share}, commission ${commission}`,
  credit: 'credit is owed',
  share: (percent: string): string => `${percent} % of the net`,
  atOnce: 'at once',
  withWeek: 'with the week',
} as const;

export const WEEK_NOTICES = {
  accountsOwe: (accounts: number, points: string): string =>
    accounts === 1 ? `1 account owes ${points}.` : `${accounts} accounts owe ${points}.`,
  youOwe: (points: string, since: string, reminder: { readonly by: string; readonly note: string } | null): string =>
    `${points} since the week of ${since}.${reminder ? ` ${reminder.by} reminds you: ${reminder.note}` : ''}`,
  said: (by: string | null, from: string, line: string | null, note: string): string =>
    `${by === null ? 'Week' : `${by}, week`} of ${from}${line === null ? '' : `, ${line}`}: ${note}`,
} as const;
