import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { CallLog } from '../../platform/http/call-log.ts';
import { createCallSums } from '../../platform/http/limits/call-sums.ts';
import { connectionTimes } from '../../platform/http/limits/connections.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { HttpLimits } from '../../platform/http/limits/http-limits.ts';
import type { NewRequestId } from '../../platform/http/request/request-ids.ts';
import { errorSender } from '../../platform/http/send-error.ts';
import type { Metrics } from './metrics.ts';
import { hash, timingSafeEqual } from 'node:crypto';

const WHO_MAY = 'The metrics require METRICS_TOKEN, sent as Authorization: Bearer.';

export function serveMetrics(app: FastifyInstance, metricsOf: () => Metrics, token: string | undefined): void {
  app.get('/metrics', async ({ headers }, reply) => {
    if (token !== undefined && !isToken(headers.authorization, token))
      throw new CallError('NOT_SIGNED_IN', { message: WHO_MAY });
    const metrics = metricsOf();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.read());
  });
}

export interface MetricsPort {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

interface CallMeans {
  readonly logger: Logger;
  readonly newRequestId: NewRequestId;
  readonly limits: HttpLimits;
}

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

function isToken(header: string | undefined, token: string | undefined): boolean {
  const presentedToken = /^Bearer (\S+)$/i.exec(header ?? '')?.[1];
  if (presentedToken === undefined || token === undefined) return false;
  return timingSafeEqual(hash('sha256', presentedToken, 'buffer'), hash('sha256', token, 'buffer'));
}
