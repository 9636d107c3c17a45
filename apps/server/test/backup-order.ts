import type { BackupOrder } from '../src/backup/take-backup.ts';
import type { Network, TestApp } from './harness.ts';

/** An order for a backup of a network, as of now, in a folder of a name of its own. */
export function orderOf(
  t: TestApp,
  { networkId }: Pick<Network, 'networkId'>,
  into: string,
  change: Partial<BackupOrder> = {},
): BackupOrder {
  return {
    connectionString: t.database.serverUrl,
    networkId,
    into,
    name: 'a-backup',
    by: 'somebody',
    takenAt: t.clock.now(),
    signal: new AbortController().signal,
    ...change,
  };
}
