import {
  STANDING_ORDER_KINDS,
  standingOrderTerms,
  type StandingOrder,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { formatDateTime, formatPoints } from '../../lib/format/format.ts';

export const standingOrderTexts = {
  title: 'Standing Orders',
  about:
    'Temporary credit is taken back automatically, refills give what is missing, and floors stop bets below an account. ' +
    'A run that lacks credit is skipped entirely.',
  empty: {
    title: 'No standing orders',
    text: 'Make one on the page of an account directly below you.',
  },
  ofAccount: 'Standing orders',
  none: 'None',
  all: 'All standing orders',
  add: 'Add standing order',
  titleOf: (username: string) => `Standing order for ${username}`,
  label: ({ kind, account }: StandingOrder) => `${STANDING_ORDER_KINDS[kind]} ${account.username}`,
  state: 'State',
  whatOf: (order: StandingOrder) => `${STANDING_ORDER_KINDS[order.kind]}: ${standingOrderTerms(order)}`,
  terms: standingOrderTerms,
  next: (iso: string) => `Next ${formatDateTime(iso)}`,
  skipped: (reason: string) => `Skipped: ${reason}`,
  stopped: (iso: string) => `Selling stopped since ${formatDateTime(iso)}`,
  kind: 'Order',
  sum: {
    temporary: 'Credit to give now',
    refill: 'Credit after each refill',
    floor: 'Floor',
  },
  takeBackAt: 'Take it back at',
  clock: 'Clock time',
  clockHint: (timeZone: string) => `In ${timeZone}`,
  weekdays: 'Days',
  noDays: 'Choose at least one day',
  weekdayNames: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  measure: 'Stop bets below it while',
  make: 'Make order',
  preview: 'What it does',
  enter: 'Fill in the fields to see what the order does.',
  gives: (username: string, sum: number, after: number, left: number) =>
    `Now: ${formatPoints(sum)} to ${username}, which then has ${formatPoints(after)}. You have ${formatPoints(left)} left.`,
  takesBack: (iso: string, sum: number) =>
    `${formatDateTime(iso)}: up to ${formatPoints(sum)} goes back. What has been spent stays owed.`,
  nothingNow: 'Now: nothing.',
  refills: (iso: string, sum: number, target: number) =>
    sum > 0
      ? `${formatDateTime(iso)}: with its current credit it would give ${formatPoints(sum)}, up to ${formatPoints(target)}.`
      : `${formatDateTime(iso)}: with its current credit it would give nothing.`,
  lacks: (left: number) => `You have only ${formatPoints(left)}, so it would be skipped.`,
  stopsNow: (value: number) => `Now: bets stop, because it is ${formatPoints(value)}.`,
  sellsNow: (value: number) => `Now: bets continue, because it is ${formatPoints(value)}.`,
  floorNext: 'Bets stop and continue automatically. What it owes is checked every 15 seconds.',
  endLabel: 'End',
  endTitle: 'End standing order',
  question: ({ kind, account }: StandingOrder) =>
    kind === 'temporary'
      ? `End the temporary credit of ${account.username}? The credit stays there.`
      : kind === 'refill'
        ? `End the refill of ${account.username}? It no longer gets credit automatically.`
        : `End the floor of ${account.username}? Bets below it are taken again.`,
} as const;
