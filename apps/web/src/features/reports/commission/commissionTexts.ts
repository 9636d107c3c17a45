import { formatCount, formatPoints } from '../../../lib/format.ts';

const accounts = (count: number): string => (count === 1 ? '1 account' : `${formatCount(count)} accounts`);

export const pendingTexts = {
  title: 'Pending Commission',
  about:
    'Commission that these accounts have earned and have not been paid yet. Paid out, it becomes their own credit.',
  empty: {
    title: 'No commission is pending',
    text: 'Accounts below you appear here as soon as a settled draw has earned them commission.',
  },
  pay: 'Pay',
  payShown: 'Pay all shown',
  payOne: (username: string) => `Pay commission to ${username}`,
  question: (count: number, points: number) =>
    `Pay out ${formatPoints(points)} points of commission to ${accounts(count)}?`,
  consequence:
    'Each sum moves from the commission of its account to its credit, and can be spent at once. Your own credit stays as it is.',
  scope: 'Which accounts',
  onPage: (count: number) => `On this page (${formatCount(count)})`,
  allThatMatch: (count: number) => `All that match (${formatCount(count)})`,
  loading: 'Loading the accounts …',
  confirm: (points: number) => `Pay ${formatPoints(points)}`,
  paying: 'Paying...',
  cancel: 'Cancel',
  close: 'Close',
  accounts: 'Accounts',
  working: 'Paying …',
  paid: (points: number) => `Paid ${formatPoints(points)}`,
  summary: (paid: number, of: number, points: number) =>
    paid === of
      ? `Paid ${formatPoints(points)} points of commission to ${accounts(paid)}.`
      : `Paid ${formatPoints(points)} points of commission to ${formatCount(paid)} of ${accounts(of)}. The others stay as they were.`,
  repeated: 'This had already been done; only its answer had not arrived. Nothing was moved again.',
} as const;

export const commissionTexts = {
  title: 'Admin Commission Report',
  summary: {
    totalCommissionPoint: 'Total Commission Point',
    totalBetPoint: 'Total Bet Point',
    totalWonPoint: 'Total Won Point',
  },
  gameSummary: 'Game Summary',
  gameSummaryOf: (game: string) => `Game Summary: ${game}`,
  columns: {
    gameName: 'Game Name',
    commissionAmount: 'Commission Amount',
    totalPoints: 'Total Points',
    totalWinPoints: 'Total Win Points',
  },
  about:
    'Commission Amount is what the accounts below each admin have earned on the game: the house pays it out of what it keeps.',
  allAdmins: 'All admins',
  empty: {
    title: 'Nothing was played in this period',
    text: 'Each game of each admin has a row here, with its stakes, its wins and the commission on it.',
  },
  noGames: 'Nothing was played on these days.',
} as const;
