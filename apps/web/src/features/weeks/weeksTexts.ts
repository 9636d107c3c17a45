import { formatCalendarDay } from '../../lib/format/format.ts';

export const weeksTexts = {
  title: 'Weekly Sheet',
  ofAccount: 'Week of',
  own: 'My week',
  sheet: 'Sheet',
  earlier: 'Week before',
  later: 'Week after',
  current: 'This week',
  range: (from: string, to: string) => `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`,
  parents: 'Chain of accounts',
  about:
    'Balance: what each account owes you for the week. Below zero, you owe the account. ' +
    'Play, win and commission are those of the Turnover Report.',
  aboutDays: (parent: string, account: string) =>
    `Balance: what ${account} owes ${parent} at the end of each day. Below zero, ${parent} owes ${account}.`,
  noParent: 'A superadmin settles with nobody above.',
  empty: {
    title: 'No accounts below this one',
    text: 'Each account directly below is listed here with its week.',
  },
  emptyDays: { title: 'This week has not begun', text: 'Each day is listed here once it begins.' },
} as const;
