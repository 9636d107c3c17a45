import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { forcedLogout } from '@drawhouse/contract/auth/auth';
import { call } from '../../lib/server/api.ts';
import type { ConfirmedCall } from '../../lib/session/confirmation.ts';
import { toggleConsequence, toggleStatus, type DescendantCounts } from './statusChange.ts';
import { commonTexts, type Level } from '../../commonTexts.ts';
import { accountsTexts } from './accountsTexts.ts';

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
