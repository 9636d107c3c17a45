import { formatCount } from '../../lib/format.ts';

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
