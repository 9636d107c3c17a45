import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { PAYMENT_DIRECTIONS, type PaymentDirection } from '@drawhouse/contract/weeks/week-payments';
import { addPoints, formatCalendarDay, formatCount, formatDateTime, formatPoints } from '../../lib/format/format.ts';

function owes(account: string, parent: string, balance: number): string {
  if (balance === 0) return `${account} and ${parent} owe each other nothing.`;
  return balance > 0
    ? `${account} owes ${parent} ${formatPoints(balance)}.`
    : `${parent} owes ${account} ${formatPoints(-balance)}.`;
}

export const weeksTexts = {
  title: 'Weekly Sheet',
  ofAccount: 'Week by day',
  own: 'My week',
  otherPages: 'Other pages',
  sheet: 'Sheet',
  payments: 'Payments',
  earlier: 'Week before',
  later: 'Week after',
  current: 'This week',
  range: (from: string, to: string) => `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`,
  about:
    'Balance: what each account owes you at the end of the week. Below zero, you owe the account. ' +
    'Play, win and commission are those of the Turnover Report.',
  balanceOf: owes,
  carried: (points: number) => `Carried from before: ${formatPoints(points)}.`,
  late: (points: number) => `This includes ${formatPoints(points)} of late changes to closed weeks.`,
  terms: ({ share, commission }: { share: number | null; commission: 'atOnce' | 'week' }) =>
    `${share === null ? 'The account owes the credit it was given.' : `The account owes ${formatPoints(share)} % of the net.`} ` +
    (commission === 'week' ? 'Its commission lowers the balance.' : 'Its commission is paid out as credit.'),
  notBegun: 'Balances are carried from week to week once terms are set or a payment is recorded.',
  signature: (username: string) => `${username}, date and signature`,
  noParent: 'A superadmin has nobody above to settle with.',
  pay: 'Record payment',
  setTerms: 'Terms',
  empty: {
    title: 'No accounts below this one',
    text: 'Each account directly below is listed here with its week.',
  },
  emptyDays: { title: 'This week has not begun', text: 'Each day is listed here once it begins.' },
} as const;

/** What a week's balance consists of, in words. `credit` moves with the closing. */
function reasonOf(row: WeekSheetRow, credit: number): string {
  const { share } = row.terms;
  const amount = (name: string, points: number) => (points === 0 ? [] : [`${name} ${formatPoints(points)}`]);
  const parts = [
    ...amount('carried', row.carried),
    ...(share === null
      ? [...amount('credit given', row.given), ...amount('taken back', -row.taken)]
      : amount(`${formatPoints(share)} % of net`, row.net)),
    ...amount('received', -row.received),
    ...amount('paid', row.paid),
    ...(row.terms.commission === 'week' ? ['less own commission'] : []),
    ...amount('received since', -row.afterwards.received),
    ...(row.isCreditOwed ? amount('taken back since', Math.min(0, addPoints(row.afterwards.given, credit))) : []),
  ];
  const all = parts.join(', ');
  return all === '' ? 'Nothing moved' : `${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

export const settleTexts = {
  settle: 'Settle',
  title: 'Settle the week',
  back: 'Sheet',
  about:
    'Closing fixes the sheet of this week and of open weeks before it for both sides. Payments and credit that you ' +
    'move now count in today’s week. What is not paid is carried on.',
  notOver: 'This week is not over yet. Go back to the week before to settle it.',
  none: 'Every account of this week is closed.',
  lines: 'Accounts to settle',
  reason: reasonOf,
  owes: (points: number) =>
    points === 0 ? 'Even' : points > 0 ? `Owes ${formatPoints(points)}` : `Gets ${formatPoints(-points)}`,
  paysNow: (due: number) => (due < 0 ? 'You pay now' : 'Pays now'),
  amountOf: (username: string) => `Amount paid now with ${username}`,
  left: (points: number) => `Carried on ${formatPoints(points)}`,
  creditOf: (before: number, after: number) =>
    before === after
      ? `Credit stays ${formatPoints(before)}`
      : `Credit ${formatPoints(before)} → ${formatPoints(after)}`,
  ownCredit: (before: number, after: number) => `Your credit ${formatPoints(before)} → ${formatPoints(after)}.`,
  disputed: 'Disputed: answer the dispute first',
  chooseAll: 'All accounts',
  most: (count: number) => `At most ${formatCount(count)} are closed at once. Close these first, then the others.`,
  confirm: 'Go to confirmation',
  keys: 'Enter: next amount. Ctrl+Enter: confirmation.',
  method: 'Paid by',
  credit: 'Credit of the accounts',
  credits: [
    { value: 'stay', label: 'Stays as it is' },
    { value: 'back', label: 'Goes back up to you' },
    { value: 'refill', label: 'Becomes a set amount' },
  ],
  refillTo: 'Credit of each account afterwards',
  note: 'Note',
  close: (count: number) => (count === 1 ? 'Close 1 account' : `Close ${formatCount(count)} accounts`),
  wrongAmount: 'Enter an amount, or nothing',
  closedAt: (at: string, by: string) => `Closed on ${at} by ${by}.`,
  summary: (count: number, paidIn: number, paidOut: number) =>
    `${count === 1 ? '1 account' : `${formatCount(count)} accounts`}: receive ${formatPoints(paidIn)}, pay ${formatPoints(paidOut)}.`,
} as const;

export const noteTexts = {
  notes: 'Notes and disputes',
  none: 'Nobody has added a note.',
  add: 'Add',
  kind: 'Kind',
  kinds: [
    { value: 'note', label: 'Note' },
    { value: 'dispute', label: 'Dispute a line' },
    { value: 'answer', label: 'Answer the dispute' },
    { value: 'reminder', label: 'Reminder to pay' },
  ],
  about: 'Line',
  text: 'Text',
  isOpen: 'A line is disputed. The week can be closed once the dispute is answered.',
} as const;

export const paymentTexts = {
  payments: 'Payments',
  payment: 'Payment',
  when: (direction: PaymentDirection, iso: string) => `${PAYMENT_DIRECTIONS[direction]} ${formatDateTime(iso)}`,
  about: 'Money paid between each account and the one above it. Payments change balances of weeks, never credit.',
  title: (username: string) => `Payment with ${username}`,
  owes,
  record: 'Record payment',
  direction: 'Direction',
  directions: (username: string, parent: string) => ({
    in: `From ${username} to ${parent}`,
    out: `From ${parent} to ${username}`,
  }),
  amount: 'Amount',
  method: 'Method',
  methods: { cash: 'Cash', bank: 'Bank', other: 'Other' },
  reference: 'Reference',
  referenceHint: 'For example the number of a receipt',
  note: 'Note',
  reverse: 'Reverse',
  reverseTitle: 'Reverse payment',
  question: (username: string, amount: number) =>
    `Reverse the payment of ${formatPoints(amount)} with ${username}? A counter-entry of today is added. Both stay listed.`,
  label: (username: string, amount: number) => `${username} ${formatPoints(amount)}`,
  empty: {
    title: 'No payments yet',
    text: 'Record what an account pays, or is paid, on the Weekly Sheet.',
  },
} as const;

export const termsTexts = {
  title: (username: string) => `Terms of ${username}`,
  titleOfMany: (count: number) => `Terms of ${formatCount(count)} accounts`,
  about: 'The first terms count from this week on, later ones from next week on.',
  by: 'The account owes',
  bys: [
    { value: 'credit', label: 'The credit it was given' },
    { value: 'share', label: 'A share of the net' },
  ],
  share: 'Share of the net in percent',
  shareHint: 'What you take of play minus wins and commissions',
  commission: 'Commission of the account',
  commissionHint: 'At once: paid out as credit. With the week: it lowers the balance.',
  save: 'Set terms',
  set: (day: string) => `Terms set from ${day}.`,
} as const;
