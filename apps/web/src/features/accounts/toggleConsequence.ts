import type { Account } from '@drawhouse/contract/accounts/accounts';
import { formatCount } from '../../lib/format.ts';
import type { BulkAction } from './bulkSummary.ts';

export interface Below {
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
  below: Below | null,
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

function othersOut(below: Below | null, them: string): string {
  if (!below) return `, with everyone below ${them}`;
  const parts = [counted(below.accounts, 'account'), counted(below.players, 'player')].filter((part) => part !== null);
  return parts.length > 0 ? `, with ${parts.join(' and ')} below ${them}` : '';
}

function counted(count: number, name: string): string | null {
  return count === 0 ? null : `${formatCount(count)} ${name}${count === 1 ? '' : 's'}`;
}
