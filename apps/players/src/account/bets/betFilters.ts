import type { TICKET_STATUS } from '@drawhouse/contract/tickets/tickets';

export const BET_STATUS: Readonly<Record<(typeof TICKET_STATUS)[number], string>> = {
  open: 'Open',
  won: 'Won',
  lost: 'No win',
  void: 'Stake refunded',
  undone: 'Undone by a restore',
};

export const BET_PERIODS = {
  today: { days: 1, words: 'Today' },
  week: { days: 7, words: 'Last 7 days' },
  month: { days: 30, words: 'Last 30 days' },
  quarter: { days: 90, words: 'Last 3 months' },
} as const;
export type BetPeriod = keyof typeof BET_PERIODS;

/** Null: no filter. */
export interface BetFilters {
  readonly gameId: string | null;
  readonly status: keyof typeof BET_STATUS | null;
  readonly period: BetPeriod;
}

/** Ignores invalid values. */
export function readFilters(search: URLSearchParams): BetFilters {
  const status = search.get('status') ?? '';
  const period = search.get('period') ?? '';
  return {
    gameId: search.get('game') || null,
    status: status in BET_STATUS ? (status as keyof typeof BET_STATUS) : null,
    period: period in BET_PERIODS ? (period as BetPeriod) : 'quarter',
  };
}

export function filtersPath({ gameId, status, period }: BetFilters): string {
  const search = new URLSearchParams();
  if (gameId !== null) search.set('game', gameId);
  if (status !== null) search.set('status', status);
  if (period !== 'quarter') search.set('period', period);
  const text = search.toString();
  return `/mine/bets${text && `?${text}`}`;
}
