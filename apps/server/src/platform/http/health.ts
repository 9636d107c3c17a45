import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import type { FastifyInstance } from 'fastify';
import { CallError } from './http-errors.ts';

const PROBE_MS = 2_000;

export interface Health {
  started(): boolean;
  /** Rejects if the database is unreachable. */
  askDatabase(): Promise<unknown>;
  takesWrites(): Promise<boolean>;
}

/**
 * `/healthz`: process alive, plus database state; always 200, because a restart would not help. `/readyz`: 200 when
 * ready, else 503 with the reason in `status`. Both are public.
 */
export function serveHealth(app: FastifyInstance, health: Health): void {
  const database = shareProbe(() => health.askDatabase().then(() => 'reached' as const));
  const writes = shareProbe(async () => ((await health.takesWrites()) ? 'ready' : 'writes refused'));

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

function shareProbe<T>(ask: () => Promise<T>): () => Promise<T | 'unreachable'> {
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
