import { formatCount, formatPoints } from '../../../lib/format/format.ts';

const accounts = (count: number): string => (count === 1 ? '1 account' : `${formatCount(count)} accounts`);

export const pendingTexts = {
  title: 'Pending Commission',
  about: 'Commission these accounts have earned but not been paid. A payout turns it into their credit.',
  empty: {
    title: 'No commission is pending',
    text: 'Accounts below you appear here once a settled draw has earned them commission.',
  },
  pay: 'Pay',
  payShown: 'Pay all shown',
  payOne: (username: string) => `Pay commission to ${username}`,
  question: (count: number, points: number) =>
    `Pay out ${formatPoints(points)} points of commission to ${accounts(count)}?`,
  consequence:
    'Each account’s commission moves to its credit and can be spent immediately. Your own credit does not change.',
  scope: 'Accounts to pay',
  onPage: (count: number) => `On this page (${formatCount(count)})`,
  allThatMatch: (count: number) => `All matching (${formatCount(count)})`,
  loading: 'Loading accounts…',
  confirm: (points: number) => `Pay ${formatPoints(points)}`,
  paying: 'Paying...',
  cancel: 'Cancel',
  close: 'Close',
  accounts: 'Accounts',
  working: 'Paying…',
  paid: (points: number) => `Paid ${formatPoints(points)}`,
  summary: (paid: number, of: number, points: number) =>
    paid === of
      ? `Paid ${formatPoints(points)} points of commission to ${accounts(paid)}.`
      : `Paid ${formatPoints(points)} points of commission to ${formatCount(paid)} of ${accounts(of)}. The others were not paid.`,
  repeated: 'This had already gone through; only the answer was lost. Nothing was moved twice.',
} as const;

export const commissionTexts = {
  title: 'Admin Commission Report',
  summary: {
    totalCommissionPoint: 'Total Commission Point',
    totalBetPoint: 'Total Bet Point',
    totalWonPoint: 'Total Won Point',
  },
  onlyThis: (username: string) => `Only ${username}`,
  gameSummary: 'Game Summary',
  gameSummaryOf: (game: string) => `Game Summary: ${game}`,
  columns: {
    gameName: 'Game Name',
    commissionAmount: 'Commission Amount',
    totalPoints: 'Total Points',
    totalWinPoints: 'Total Win Points',
  },
  about:
    'Commission Amount: earned by the accounts below each admin on the game. The house pays it from what it keeps.',
  allAdmins: 'All admins',
  empty: {
    title: 'No settled bets in this period',
    text: 'Each admin’s games are listed here with stakes, wins and commission.',
  },
  noGames: 'No settled bets on these days.',
  gameName: 'Game Name',
} as const;
