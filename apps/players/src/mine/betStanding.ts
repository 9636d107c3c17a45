import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';

/** How a bet stands: not drawn yet, lost, won, won and to be claimed, its stake was given back, or a restore has undone it. */
export type BetStanding = 'open' | 'lost' | 'won' | 'waiting' | 'void' | 'undone';

/** How a bet stands. */
export function standingOf({
  status,
  winpoints,
  claimedAt,
}: Pick<PlayerTicket, 'status' | 'winpoints' | 'claimedAt'>): BetStanding {
  if (status !== 'settled') return status;
  if ((winpoints ?? 0) === 0) return 'lost';
  return claimedAt === null ? 'waiting' : 'won';
}

/** The words for it. */
export const STANDING_WORDS: Readonly<Record<BetStanding, string>> = {
  open: 'Not drawn yet',
  lost: 'Not won',
  won: 'Won',
  waiting: 'Won, to be claimed',
  void: 'Stake given back',
  undone: 'Undone by a restore',
};
