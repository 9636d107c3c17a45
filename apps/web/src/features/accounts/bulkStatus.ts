import type { Account } from '@drawhouse/contract/accounts/accounts';
import { errorMessage } from '../../lib/api.ts';
import { runAFew } from '../../lib/runAFew.ts';
import type { BulkAction, BulkResult } from './bulkSummary.ts';
import { toggleStatus } from './toggleStatus.ts';

const AT_ONCE = 4;

/** Activates or deactivates accounts, a few at a time, and tells what becomes of each. */
export function runBulk(
  action: BulkAction,
  accounts: readonly Account[],
  tell: (id: string, result: BulkResult) => void,
  signal: AbortSignal,
): Promise<void> {
  return runAFew(
    accounts,
    AT_ONCE,
    async (account) => {
      const { _id } = account;
      tell(_id, 'running');
      try {
        await toggleStatus(account, action);
        tell(_id, 'done');
      } catch (error) {
        tell(_id, { refused: errorMessage(error) });
      }
    },
    signal,
  );
}
