import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { isToken } from '../http/bearer-token.ts';
import { CallError } from '../http/http-errors.ts';
import type { NewRequestId } from '../http/request-ids.ts';
import { errorSender } from '../http/send-error.ts';
import type { Metrics } from './metrics.ts';

const WHO_MAY = 'The figures are for who shows the token of METRICS_TOKEN, as Authorization: Bearer.';

/** Serves the figures as `GET /metrics`; with a token, for who shows it. */
export function serveMetrics(app: FastifyInstance, given: () => Metrics, token: string | undefined): void {
  app.get('/metrics', async ({ headers }, reply) => {
    if (token !== undefined && !isToken(headers.authorization, token))
      throw new CallError('NOT_SIGNED_IN', { message: WHO_MAY });
    const metrics = given();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.read());
  });
}

/** Where the figures are served by themselves. */
export interface MetricsPort {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** Serves them on a port of their own, and nothing else. Rejects where that can't be listened on. Whoever opens it closes it. */
export async function openMetricsPort(
  metrics: Metrics,
  { host, port, token }: MetricsPort,
  newRequestId: NewRequestId,
): Promise<FastifyInstance> {
  const app = fastify({ genReqId: newRequestId, forceCloseConnections: true });
  app.setErrorHandler(errorSender(() => {}));
  app.setNotFoundHandler(() => {
    throw new CallError('NOT_FOUND');
  });
  serveMetrics(app, () => metrics, token);
  await app.listen({ host, port });
  return app;
}
