import { BELOW_MAX, belowCount } from '@drawhouse/contract/accounts/account-children';
import { type Account, accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { forcedLogout } from '@drawhouse/contract/auth/auth';
import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { call, callQuery } from '../../lib/server/api.ts';
import type { ConfirmedCall } from '../../lib/session/confirmation.ts';
import { commonTexts, type Level } from '../../commonTexts.ts';
import { accountsTexts } from './accountsTexts.ts';
import { formatCount } from '../../lib/format/format.ts';
import { queryClient } from '../../lib/server/queryClient.ts';

const texts = commonTexts.accounts;

export type ConfirmedActionName = ConfirmedAction['action'];

export type ConfirmedAction =
  | { action: 'toggle' | 'remove'; account: Account }
  | { action: 'logout'; account: Pick<Account, '_id' | 'username'> };

export interface Question {
  title: string;
  text: string;
  consequence: string | null;
  danger: boolean;
  route: ConfirmedCall;
  act: () => Promise<string>;
}

export function questionOf(target: ConfirmedAction, below: DescendantCounts | null): Question {
  switch (target.action) {
    case 'toggle':
      return toggleQuestion(target.account, below);
    case 'logout': {
      const { account } = target;
      return {
        title: texts.forceLogout.title,
        text: texts.confirmForceLogout(account.username),
        consequence: accountsTexts.allItsSessionsEnd,
        danger: true,
        route: forcedLogout,
        act: async () => {
          const { message } = await call(forcedLogout, { query: { id: account._id } });
          return message ?? texts.forcedLogout(account.username);
        },
      };
    }
    case 'remove': {
      const { account } = target;
      return {
        title: texts.remove.title,
        text: texts.confirmRemove(account.username),
        consequence: accountsTexts.itsRemainingBalancesReturn,
        danger: true,
        route: accountRoutes[target.account.role as Level].remove,
        act: async () => {
          const level = account.role as Level;
          const { message } = await call(
            accountRoutes[level].remove,
            { params: { id: account._id } },
            { fallback: texts.removeFailed[level] },
          );
          return message;
        },
      };
    }
  }
}

function toggleQuestion(account: Account, below: DescendantCounts | null): Question {
  const action = account.userStatus ? 'deactivate' : 'activate';
  return {
    title: texts.toggle[action].title,
    text: texts.confirmToggle(action, account.username),
    consequence: toggleConsequence(action, [account], below),
    danger: account.userStatus,
    route: accountRoutes[account.role as Level].toggleStatus,
    act: async () => {
      const { message } = await toggleStatus(account, action);
      return message ?? texts.toggled(action, account);
    },
  };
}

interface DescendantCounts {
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

function toggleStatus({ _id, role }: Account, action: StatusAction) {
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

const SHOWING_ACCOUNTS: ReadonlySet<unknown> = new Set(['accounts', 'counts', 'games', 'credit']);

export function reloadAccounts(deletedId?: string): Promise<unknown> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      SHOWING_ACCOUNTS.has(queryKey[0]) && (deletedId === undefined || !queryKey.includes(deletedId)),
  });
}

export const GAMES = queryOptions(callQuery(['games', 'catalogue'], gameList.route, {}));
