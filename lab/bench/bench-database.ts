import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../apps/server/src/platform/db/database.ts';
import { COMMAND_TIMEOUTS } from '../../apps/server/src/platform/db/connection/timeouts.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { startEmbedded } from '../../apps/server/src/platform/db/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/db/migrate.ts';

/** Starts a migrated embedded PostgreSQL in a temporary folder. Removes both afterwards, even after SIGINT. */
export async function withBenchDatabase(
  poolSize: number,
  bench: (db: Database, url: string) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'drawhouse-bench-'));
  const postgres = await startEmbedded(dataDir, { exclusive: true });
  // An interrupted bench would leave the PostgreSQL process running.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      void postgres.stop().then(async () => {
        await rm(dataDir, { recursive: true, force: true });
        process.exit(130);
      });
    });
  try {
    await migrate(postgres.ownerUrl);
    const onError = (error: Error): void => console.error(error.message);
    const db = connect(postgres.ownerUrl, { onError, poolSize, patience: COMMAND_TIMEOUTS });
    try {
      await bench(db, postgres.ownerUrl);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export function machine(): string {
  return `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}`;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
