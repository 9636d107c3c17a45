import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { isToken } from '../http/bearer-token.ts';
import { CallLog } from '../http/call-log.ts';
import { createCallSums } from '../http/call-sums.ts';
import { connectionTimes } from '../http/connections.ts';
import { CallError } from '../http/http-errors.ts';
import type { HttpLimits } from '../http/http-limits.ts';
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

/** By what its calls are logged and limited, as those of the server are. */
interface CallMeans {
  readonly logger: Logger;
  readonly newRequestId: NewRequestId;
  readonly limits: HttpLimits;
}

/** Serves them on a port of their own, and nothing else. Rejects where that can't be listened on. Whoever opens it closes it. */
export async function openMetricsPort(
  metrics: Metrics,
  { host, port, token }: MetricsPort,
  { logger, newRequestId, limits }: CallMeans,
): Promise<FastifyInstance> {
  const sendError = errorSender(() => {});
  const sums = createCallSums(logger);
  const calls = new CallLog(logger, { nameCaller: () => undefined, answered: undefined, sums });
  const app = fastify({
    loggerInstance: logger,
    logController: calls,
    genReqId: newRequestId,
    forceCloseConnections: true,
    ...connectionTimes(limits, newRequestId, logger),
    frameworkErrors: (error, request, reply) => calls.requestCompleted(null, request, sendError(error, request, reply)),
  }) as unknown as FastifyInstance;
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new CallError('NOT_FOUND');
  });
  serveMetrics(app, () => metrics, token);
  await app.listen({ host, port });
  return app;
}
