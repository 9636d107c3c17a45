import { formatCount } from '../../lib/format/format.ts';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { call, callQuery } from '../../lib/server/api.ts';
import { commonTexts } from '../../commonTexts.ts';
import { BELOW_MAX, belowCount } from '@drawhouse/contract/accounts/account-counts';
import { useQuery } from '@tanstack/react-query';
import { accountsTexts } from './accountsTexts.ts';

export interface DescendantCounts {
  readonly accounts: number;
  readonly players: number;
}

/** Null if the question says it all. Omits numbers until `below` is known. All accounts share one level. */
export function toggleConsequence(
  action: StatusAction,
  accounts: readonly Pick<Account, 'role' | 'inactiveAbove'>[],
  below: DescendantCounts | null,
): string | null {
  const many = accounts.length > 1;
  if (action === 'activate') {
    const above = accounts.find((account) => account.inactiveAbove)?.inactiveAbove;
    return above ? accountsTexts.stillCantSignIn(many ? accountsTexts.some : accountsTexts.it, above.username) : null;
  }
  const [it, is, them] = many ? ['They', 'are', 'them'] : ['It', 'is', 'it'];
  const others = accounts[0]?.role === 'user' ? '' : othersOut(below, them);
  return accountsTexts.signedOutImmediatelyAnd(it, is, others, it.toLowerCase());
}

function othersOut(below: DescendantCounts | null, them: string): string {
  if (!below) return accountsTexts.withEveryoneBelow(them);
  const parts = [counted(below.accounts, 'account'), counted(below.players, 'player')].filter((part) => part !== null);
  return parts.length > 0 ? `, with ${parts.join(' and ')} below ${them}` : '';
}

function counted(count: number, name: string): string | null {
  return count === 0 ? null : `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}

export type StatusAction = 'activate' | 'deactivate';

export function toggleStatus({ _id, role }: Account, action: StatusAction) {
  return call(
    accountRoutes[role].toggleStatus,
    { params: { userId: _id, action } },
    { fallback: commonTexts.accounts.toggleFailed },
  );
}

/** Null while loading, for too many accounts, and for levels without descendants. */
export function useDescendantCounts(accounts: readonly Pick<Account, '_id' | 'role'>[]): DescendantCounts | null {
  const ids = accounts.map(({ _id }) => _id).join(',');
  const { data } = useQuery({
    ...callQuery(['accounts', 'below', ids], belowCount, { query: { ids } }),
    enabled: accounts.length > 0 && accounts.length <= BELOW_MAX && accounts[0]?.role !== 'user',
    staleTime: 0,
  });
  return data ?? null;
}
