import type { Role } from '@drawhouse/contract/core/primitives';

export type Wallet = 'credit' | 'commission' | 'winnings';

export const statementTexts = {
  details: 'Chart and types',
  curve: 'Balance over time',
  series: [{ name: 'Balance', as: 'steps' as const }],
  noCurve: 'No movements in this period, or the balance stayed at zero.',
  byKind: 'In and out by type',
  type: 'Type',
  count: 'Movements',
  in: 'In',
  out: 'Out',
  nothing: 'No movements in this period.',
  tooMany: (movements: string) => `${movements} movements are too many to add up. Choose a shorter period.`,
  lookedSoFar: 'Only part of this period has been searched. There may be more of this type further back: select Older.',
};

export function whoseFigures(wallet: Wallet, role: Role, username: string | null): string {
  const [who, have] = username === null ? ['You', 'you'] : [username, username];
  switch (wallet) {
    case 'commission':
      return `In: commission ${have} earned. Out: commission paid into credit. The closing balance is still to be paid out.`;
    case 'winnings':
      return (
        `In: what ${have} won. Out: what was claimed. ` +
        `The closing balance is ${who === 'You' ? 'yours' : `${who}’s`}, to be claimed.`
      );
    case 'credit':
      return role === 'user'
        ? `In: what ${have} received or won. Out: what ${have} bet or gave back. The house keeps bets minus wins and commission.`
        : `In: credit ${have} received. Out: credit ${have} passed on or gave back. This is not profit: earnings are under Commission.`;
  }
}
