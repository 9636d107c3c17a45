import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';
import type { FastifyInstance } from 'fastify';
import { CallError } from './http-errors.ts';

/** A probe that asks again and again gets an answer within this time, whatever the database does. */
const PROBE_MS = 2_000;

/** What a server can say of itself. */
export interface Health {
  /** Whether the start is over: migrated, and the first superadmin is there. */
  started(): boolean;
  /** Asks the database anything; rejects, sooner or later, when it is not reached. */
  askDatabase(): Promise<unknown>;
  /** Whether the database takes writes; rejects as that does. */
  takesWrites(): Promise<boolean>;
}

/**
 * `/healthz`: this process is alive, and whether it reaches its database; 200 all the same, since a restart would not help.
 * `/readyz`: 200 once calls can be answered, else 503 with the reason as `status`. Neither needs a session.
 */
export function serveHealth(app: FastifyInstance, health: Health): void {
  const database = asked(() => health.askDatabase().then(() => 'reached' as const));
  const writes = asked(async () => ((await health.takesWrites()) ? 'ready' : 'writes refused'));

  app.get('/healthz', async () => ({ success: true, database: await database() }));
  app.get('/readyz', async ({ id }, reply) => {
    const found = health.started() ? await writes() : 'starting';
    const status = found === 'unreachable' ? 'database unreachable' : found;
    if (status === 'ready') return { success: true, status };
    const failure = new CallError('NOT_READY');
    return reply
      .status(failure.status)
      .header('Retry-After', 1)
      .header(REQUEST_ID_HEADER, id)
      .send({ ...failure.toBody(id), status });
  });
}

/** What a question to the database gives, or that it is unreachable: one at a time, with one timer, however many probes wait for its answer. */
function asked<T>(ask: () => Promise<T>): () => Promise<T | 'unreachable'> {
  let asking: Promise<T | 'unreachable'> | undefined;
  let answering: Promise<T | 'unreachable'> | undefined;
  const unlessLate = async (answer: Promise<T | 'unreachable'>): Promise<T | 'unreachable'> => {
    const late = Promise.withResolvers<'unreachable'>();
    const timer = setTimeout(() => late.resolve('unreachable'), PROBE_MS).unref();
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
      answering = undefined;
    }
  };
  return () => {
    asking ??= ask()
      .catch(() => 'unreachable' as const)
      .finally(() => (asking = undefined));
    return (answering ??= unlessLate(asking));
  };
}
