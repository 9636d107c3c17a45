import type { Role } from '@drawhouse/contract/frame/primitives';

export type Wallet = 'credit' | 'commission' | 'winnings';

export const statementTexts = {
  curve: 'Balance over time',
  series: [{ name: 'Balance', as: 'steps' as const }],
  noCurve: 'Nothing moved in this period, or the balance stayed at zero.',
  byKind: 'What came in and went out, by type',
  type: 'Type',
  count: 'Movements',
  in: 'In',
  out: 'Out',
  nothing: 'Nothing moved in this period.',
  tooMany: (movements: string) =>
    `${movements} movements are too many to be added up at once: choose a shorter period.`,
  lookedSoFar:
    'There may be more of this type further back: only part of this period has been searched. Older continues.',
};

export function whoseFigures(wallet: Wallet, role: Role, username: string | null): string {
  const [who, have] = username === null ? ['You', 'you'] : [username, username];
  switch (wallet) {
    case 'commission':
      return `In is what ${have} earned as commission, out what was paid into the credit. The closing balance is still to be paid out.`;
    case 'winnings':
      return `In is what ${have} won, out what was claimed. The closing balance is ${who === 'You' ? 'yours' : `${who}’s`}, to be claimed.`;
    case 'credit':
      return role === 'user'
        ? `In is what ${have} was given or won, out what ${have} bet or gave back. The house keeps bets less wins and commission.`
        : `In is the credit that ${have} received, out what ${have} passed on or gave back. It is no profit: what was earned is under Commission.`;
  }
}
