import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { momentText } from '../../lib/amounts.ts';
import { betTexts as texts } from './betTexts.ts';

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
  return draw.status === 'void' ? texts.noResult.void : texts.noResult.at(momentText(draw.drawsAt));
}

export function noWinText(status: PlayerTicket['status']): string {
  return status === 'open' ? texts.noWin.open : texts.noWin.decided;
}
