import type { Movement, StatementKind } from '@drawhouse/contract/credit/credit';
import { inLanguage } from '../../lib/inLanguage.ts';

export const statementTexts = inLanguage('statementTexts', {
  title: 'My statement',
  wallet: 'Show',
  period: 'Period',
  loading: 'Loading your statement',
  none: { credit: 'No movements.', winnings: 'No unclaimed wins.' },
  noneHelp: {
    credit: 'Bets, wins and credit appear here, with the balance after each.',
    winnings: 'Wins that must be claimed wait here until you claim them.',
  },
  older: 'Older movements',
  opening: 'Opening balance',
  credit: 'In',
  debit: 'Out',
  closing: 'Balance now',
  movements: 'Movements',
  balance: 'Balance {points}',
  downloads: 'Downloads',
  save: { xlsx: 'Save as Excel', csv: 'Save as CSV' },
  wallets: { credit: 'Wallet', winnings: 'Unclaimed wins' },
  winToClaim: 'Win, to claim',
  claimed: 'Claimed into your wallet',
  creditGiven: 'Credit given',
  from: (account: string) => `from ${account}`,
  by: (account: string) => `by ${account}`,
  /** Also has kinds that players never have, because the type requires all. */
  kinds: {
    issue: 'Credit issued',
    retire: 'Credit retired',
    credit: 'Credit received',
    debit: 'Credit taken back',
    'table-add': 'Game balance added',
    'table-reset': 'Game balance reset',
    cover: 'Cover of a declared result',
    correct: 'Correction of a result',
    stake: 'Bet placed',
    refund: 'Stake refunded',
    collect: 'Bets collected',
    win: 'Win',
    commission: 'Commission earned',
    payout: 'Commission paid out',
    claim: 'Win claimed',
    restore: 'Restore adjustment',
    return: 'Returned on deletion',
    cleared: 'Earlier movements, cleared by the operator',
    restored: 'The operator restored a backup',
  } satisfies Record<StatementKind, string>,
});

export type PlayerWallet = keyof typeof statementTexts.wallets;

export function movementText(wallet: PlayerWallet, { kind, credit }: Pick<Movement, 'kind' | 'credit'>): string {
  if (wallet === 'winnings' && kind === 'win') return statementTexts.winToClaim;
  if (wallet === 'winnings' && kind === 'claim') return statementTexts.claimed;
  if (kind === 'credit' && credit === 0) return statementTexts.creditGiven;
  return statementTexts.kinds[kind];
}

export function movementDetail({ kind, counterpart, note }: Pick<Movement, 'kind' | 'counterpart' | 'note'>): string {
  const isOfGame = kind === 'stake' || kind === 'refund' || kind === 'win' || kind === 'claim' || kind === 'correct';
  const { from, by } = statementTexts;
  const who =
    counterpart === null
      ? null
      : kind === 'credit'
        ? from(counterpart)
        : kind === 'debit'
          ? by(counterpart)
          : counterpart;
  return [who, isOfGame ? null : note].filter(Boolean).join(' · ');
}
