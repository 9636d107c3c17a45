import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { momentText } from '../../lib/amounts.ts';

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

export const STANDING_WORDS: Readonly<Record<BetOutcome, string>> = {
  open: 'Open',
  lost: 'No win',
  won: 'Won',
  waiting: 'Won, to claim',
  void: 'Stake refunded',
  undone: 'Undone by a restore',
};

export function noResultWords({ status, draw }: Pick<PlayerTicket, 'status' | 'draw'>): string {
  if (status === 'undone') return 'None: undone';
  return draw.status === 'void' ? 'None: the draw is void' : `At ${momentText(draw.drawsAt)}`;
}

export function noWinWords(status: PlayerTicket['status']): string {
  return status === 'open' ? 'Pending' : '–';
}
