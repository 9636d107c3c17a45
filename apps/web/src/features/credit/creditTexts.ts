import { commonTexts } from '../../commonTexts.ts';
import type { Role } from '@drawhouse/contract/core/primitives';

export const creditTexts = {
  ...commonTexts.credit,
  topUpOf: (username: string) => `Top up ${username}`,
  usualAmounts: 'Usual amounts',
  receiptRead: 'Done',
  individual: 'Individual Credit',
  hierarchy: 'Hierarchy Credit',
  amount: 'Amount',
  note: 'Note',
  cancel: 'Cancel',
  transactionType: 'Transaction type',
  amountRequired: 'Amount is required',
  amountTooSmall: 'Amount must be greater than 0',
  notSignedIn: 'User authentication is missing. Please log in again.',
  invalidTransfer: 'Invalid transfer amount. Please enter a valid number.',
  invalidAdjust: 'Invalid adjustment amount. Please enter a valid number.',
  transferPassword: 'Password is required for credit transfer.',
  adjustPassword: 'Password is required for credit adjustment.',
  noteHint: 'Optional. Shown in the statement.',
  leftToday: (left: string) => `Left to give today: ${left}`,
  sent: 'Credit sent',
  inTransit: (points: string) => `In transit to other cells: ${points}`,
  tooMuchToGive: (left: string) => `You have only ${left} points to give.`,
  tooMuchToTake: (username: string, left: string) => `${username} has only ${left} points.`,
  dailyLimitLeft: (left: string) => `Your daily limit leaves ${left} points to give today.`,
  tooMuchToRetire: (left: string) => `You have only ${left} points.`,
  silentCell: (cell: string) => `${cell} does not answer. Credit you give or take back now moves when it answers.`,
  silentDirectory: (cell: string) =>
    `The directory of all cells does not answer, so no credit can be sent to ${cell} now. Try again in a few minutes.`,
  lastBalance: (points: string, at: string) => `Last known balance: ${points}, ${at}.`,
  onItsWay: (points: string) => `In transit: ${points}.`,
  inactive: 'This account is not active, so it can’t receive credit. You can still take credit back.',
  inactiveAbove: (ancestor: string) =>
    `${ancestor}, above this account, is not active, so it can’t receive credit. You can still take credit back.`,
  alreadyMoved: 'This had already gone through; only the answer was lost. Nothing was moved twice.',
  asBefore: 'Balances before it was sent. They update once we know whether it went through.',
  gave: (amount: string, username: string) => `${amount} given to ${username}.`,
  tookBack: (amount: string, username: string) => `${amount} taken back from ${username}.`,
  issued: (amount: string) => `${amount} issued.`,
  retired: (amount: string) => `${amount} retired.`,
  nowHave: (username: string, theirs: string, yours: string) => `${username} now has ${theirs}, you have ${yours}.`,
  youNowHave: (yours: string) => `You now have ${yours}.`,
  transferred: 'Credit transfer successful!',
  adjusted: 'Credit adjustment successful!',
  transferFailed: 'Unknown error occurred during credit transfer.',
  adjustFailed: 'An error occurred.',
  balance: 'Balance',
  before: 'Before',
  after: 'After',
  issueCredit: 'Issue credit',
  retireCredit: 'Retire credit',
  creditGive: 'Credit (give)',
  debitTakeBack: 'Debit (take back)',
  next: 'Next',
  thisAccount: 'This account',
  noMovementsInThis: 'No movements in this period',
  showLast6Months: 'Show the last 6 months',
  wallet: 'Wallet',
  creditComingInOr: 'Credit coming in or going out is listed here, with the balance after each movement.',
  commissionEarnedOrPaid: 'Commission earned or paid out is listed here, with the pending amount after each movement.',
  unclaimedWinsAndTheir: 'Unclaimed wins and their claims are listed here, with the amount still waiting after each.',
} as const;

export type CreditKind = 'transfer' | 'adjust';

export function creditTitle(kind: CreditKind, level: Role): string {
  if (level === 'superadmin') return commonTexts.credit.ownAdjust;
  return `${commonTexts.accounts.titles[level]} ${commonTexts.credit[kind]}`;
}
