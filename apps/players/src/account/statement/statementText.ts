import type { Movement, StatementKind } from '@drawhouse/contract/credit/credit';

/** Includes kinds players never have, so no movement lacks a text. */
const WORDS: Readonly<Record<StatementKind, string>> = {
  issue: 'Credit issued',
  retire: 'Credit retired',
  credit: 'Credit received',
  debit: 'Credit taken back',
  'table-add': 'Game balance added',
  'table-reset': 'Game balance reset',
  cover: 'Cover of a declared result',
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
};

export const WALLETS = { credit: 'Wallet', winnings: 'Unclaimed wins' } as const;
export type PlayerWallet = keyof typeof WALLETS;

export function movementWords(wallet: PlayerWallet, { kind, credit }: Pick<Movement, 'kind' | 'credit'>): string {
  if (wallet === 'winnings' && kind === 'win') return 'Win, to claim';
  if (wallet === 'winnings' && kind === 'claim') return 'Claimed into your wallet';
  if (kind === 'credit' && credit === 0) return 'Credit given';
  return WORDS[kind];
}

/** Empty if it would repeat the kind. */
export function movementWith({ kind, counterpart, note }: Pick<Movement, 'kind' | 'counterpart' | 'note'>): string {
  const isOfGame = kind === 'stake' || kind === 'refund' || kind === 'win' || kind === 'claim';
  const who = kind === 'credit' ? `from ${counterpart}` : kind === 'debit' ? `by ${counterpart}` : counterpart;
  return [who, isOfGame ? null : note].filter(Boolean).join(' · ');
}
