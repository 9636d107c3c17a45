import { accountRoutes } from '@drawhouse/contract/accounts';
import type { Account } from '@drawhouse/contract/accounts';
import { call, errorMessage } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { runAFew } from '../../lib/runAFew.ts';

/** What is done with many accounts at once. */
export type BulkAction = 'activate' | 'deactivate';

/** What became of one account: not begun, under way, done, or refused with the server's sentence. */
export type BulkResult = 'waiting' | 'running' | 'done' | { refused: string };

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
    async ({ _id, role }) => {
      tell(_id, 'running');
      try {
        await call(accountRoutes[role].toggleStatus, { params: { userId: _id, action } });
        tell(_id, 'done');
      } catch (error) {
        tell(_id, { refused: errorMessage(error) });
      }
    },
    signal,
  );
}

/** What came of all of them, in a sentence: `3 of 5 activated, 1 failed, 1 not begun.` */
export function bulkSummary(action: BulkAction, results: readonly BulkResult[]): string {
  const done = results.filter((result) => result === 'done').length;
  const failed = results.filter((result) => typeof result === 'object').length;
  const left = results.length - done - failed;
  const parts = [`${formatCount(done)} of ${formatCount(results.length)} ${action}d`];
  if (failed > 0) parts.push(`${formatCount(failed)} failed`);
  if (left > 0) parts.push(`${formatCount(left)} not begun`);
  return `${parts.join(', ')}.`;
}
