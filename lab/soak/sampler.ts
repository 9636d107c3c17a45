import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { connect } from '../../apps/server/src/platform/db/database.ts';
import { startEmbedded } from '../../apps/server/src/platform/db/embedded/embedded.ts';
import type { Question, Reading } from './probe.ts';
import type { Sample } from './verdict.ts';

export interface Sampler {
  sample(minute: number, question: Question): Promise<Sample>;
  close(): Promise<void>;
}

const ANSWER_MS = 30_000;

/** Counts connections itself; the probe reports the rest. */
export async function startSampler(server: ChildProcess, dataDir: string): Promise<Sampler> {
  const postgres = await startEmbedded(dataDir, { exclusive: false });
  if (!postgres) throw new Error(`There is no database in ${dataDir}.`);
  const db = connect(postgres.ownerUrl, { onError: (error) => console.error(error.message), poolSize: 1 });
  return {
    async sample(minute, question) {
      const answer = once(server, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
      server.send(question);
      const [reading] = (await answer) as [Reading];
      const [row] = await db.query<{ connections: number }>(
        `select count(*)::int as connections from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      return { ...reading, minute, connections: row!.connections };
    },
    close: () => db.close(),
  };
}
