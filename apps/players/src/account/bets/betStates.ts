import { playerTexts } from '../../lib/playerTexts.ts';
import type { PlayerTicket, TICKET_STATUS } from '@drawhouse/contract/tickets/tickets';
import { momentText } from '../../lib/amounts.ts';
import { betTexts as texts } from './betTexts.ts';

export const BET_STATUS: Readonly<Record<(typeof TICKET_STATUS)[number], string>> = texts.status;

/** In days. */
export const BET_PERIODS = { today: 1, week: 7, month: 30, quarter: 90 } as const;
export type BetPeriod = keyof typeof BET_PERIODS;

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

export type BetOutcome = 'open' | 'lost' | 'won' | 'waiting' | 'void' | 'undone';

export function outcomeOf({
  status,
  winpoints,
  claimedAt,
}: Pick<PlayerTicket, 'status' | 'winpoints' | 'claimedAt'>): BetOutcome {
  if (status !== 'settled') return status;
  if ((winpoints ?? 0) === 0) return 'lost';
  return claimedAt === null ? 'waiting' : 'won';
}

export function noResultText({ status, draw }: Pick<PlayerTicket, 'status' | 'draw'>): string {
  if (status === 'undone') return texts.noResult.undone;
  if (draw.status === 'void') return texts.noResult.void;
  return draw.outside !== null && draw.status !== 'open'
    ? playerTexts.awaits(draw.outside)
    : texts.noResult.at(momentText(draw.drawsAt));
}

export function noWinText(status: PlayerTicket['status']): string {
  return status === 'open' ? texts.noWin.open : texts.noWin.decided;
}
