import type { Account } from '@drawhouse/contract/accounts/accounts';
import { formatCount } from '../../lib/format/format.ts';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { call } from '../../lib/server/api.ts';
import { commonTexts } from '../../commonTexts.ts';
import { BELOW_MAX, belowCount } from '@drawhouse/contract/accounts/account-counts';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../lib/server/queryKeys.ts';

export interface DescendantCounts {
  readonly accounts: number;
  readonly players: number;
}

/**
 * Consequence of a toggle; null if the question says it all. Omits numbers until `below` is known. All accounts share
 * one level.
 */
export function toggleConsequence(
  action: BulkAction,
  accounts: readonly Pick<Account, 'role' | 'inactiveAbove'>[],
  below: DescendantCounts | null,
): string | null {
  const many = accounts.length > 1;
  if (action === 'activate') {
    const above = accounts.find((account) => account.inactiveAbove)?.inactiveAbove;
    return above ? `${many ? 'Some' : 'It'} still can’t sign in: ${above.username} is not active.` : null;
  }
  const [it, is, them] = many ? ['They', 'are', 'them'] : ['It', 'is', 'it'];
  const others = accounts[0]?.role === 'user' ? '' : othersOut(below, them);
  return `${it} ${is} signed out immediately${others}, and can’t sign in or bet until ${it.toLowerCase()} ${is} active again.`;
}

function othersOut(below: DescendantCounts | null, them: string): string {
  if (!below) return `, with everyone below ${them}`;
  const parts = [counted(below.accounts, 'account'), counted(below.players, 'player')].filter((part) => part !== null);
  return parts.length > 0 ? `, with ${parts.join(' and ')} below ${them}` : '';
}

function counted(count: number, name: string): string | null {
  return count === 0 ? null : `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}

export type BulkAction = 'activate' | 'deactivate';

export type BulkResult = 'waiting' | 'running' | 'done' | { refused: string };

/** `3 of 5 activated, 1 failed, 1 not started.` */
export function bulkSummary(action: BulkAction, results: readonly BulkResult[]): string {
  const done = results.filter((result) => result === 'done').length;
  const failed = results.filter((result) => typeof result === 'object').length;
  const left = results.length - done - failed;
  const parts = [`${formatCount(done)} of ${formatCount(results.length)} ${action}d`];
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  if (left > 0) parts.push(`${formatCount(left)} not started`);
  return `${parts.join(', ')}.`;
}

export function toggleStatus({ _id, role }: Account, action: 'activate' | 'deactivate') {
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
    queryKey: [queryKeys.accounts, 'below', ids],
    queryFn: ({ signal }) => call(belowCount, { query: { ids } }, { signal }),
    enabled: accounts.length > 0 && accounts.length <= BELOW_MAX && accounts[0]?.role !== 'user',
    staleTime: 0,
  });
  return data ?? null;
}

/** Runs at most `atOnce` jobs at a time, in order. Starts no more after the signal aborts. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  async function lane(): Promise<void> {
    while (next < items.length && !signal?.aborted) {
      const item = items[next]!;
      next += 1;
      await run(item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}
