import type { BackupOrder } from '../../src/backup/take/take-backup.ts';
import type { Network, TestApp } from '../harness.ts';

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
