import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, type Registry } from '@prometheus-io/client';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Team } from '../../platform/cluster/team.ts';
import { type MetricDefinition, metricDefinitions, type MetricSources, type Reading } from './metric-definitions.ts';
import type { Measures } from './measures.ts';
import { CallLog, createCallSums } from '../../platform/http/call-log.ts';
import { connectionTimes } from '../../platform/http/limits/connections.ts';
import { CallError, errorSender } from '../../platform/http/http-errors.ts';
import type { HttpLimits } from '../../platform/http/limits/http-limits.ts';
import type { NewRequestId } from '../../platform/http/request/request-headers.ts';

/** Later values are omitted; scrapers wait ten seconds at most. */
const READ_MS = 3_000;

/** prom-client cannot disable a metric. */
const SELDOM_MS = 3_600_000;

/** Default metrics that are slow with many connections, or unused. */
const LEFT_OUT = /^nodejs_(?:active_|heap_space_|eventloop_utilization)/;

export interface Metrics {
  readonly contentType: string;
  read(): Promise<string>;
}

interface Place {
  readonly team?: Team | undefined;
  readonly cell?: string | undefined;
}

/** With `team`, includes all processes, labeled by number. */
export function createMetrics(measures: Measures, uncached: MetricSources, { team, cell }: Place): Metrics {
  const { registry } = measures;
  registry.setDefaultLabels({ ...(cell !== undefined && { cell }), ...(team && { process: String(team.slot + 1) }) });
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: SELDOM_MS });
  for (const { name } of registry.getMetricsAsArray()) if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
  const { sources, forget } = cacheSources(uncached);
  const metrics = metricDefinitions(measures, sources).map((definition) => ({
    definition,
    metric: metricOf(definition, registry),
  }));

  async function readOwn(): Promise<void> {
    // Read before database queries, which would show as waiting connections.
    sources.pools();
    const read = await Promise.all(
      metrics.map(async (metric) => ({ ...metric, readings: await readIn(metric.definition) })),
    );
    forget();
    for (const each of read) show(each);
  }

  team?.onRead(async () => {
    await readOwn();
    const all = await registry.getMetricsAsJSON();
    // Labels differ, so nothing is summed; other aggregators leave metrics out.
    return all.map((metric) => ({ ...metric, aggregator: 'sum' }));
  });

  async function readAll(): Promise<string> {
    if (!team) {
      await readOwn();
      return registry.metrics();
    }
    const found = (await team.readAll()).filter((each) => each !== null) as object[];
    return AggregatorRegistry.aggregate(found).metrics();
  }

  let reading: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}

function metricOf({ name, help, kind, labels }: MetricDefinition, registry: Registry): Gauge<string> | Counter<string> {
  const config = { name, help, labelNames: labels, registers: [registry] };
  return kind === 'gauge' ? new Gauge(config) : new Counter(config);
}

async function readIn({ read, unknown }: MetricDefinition): Promise<readonly Reading[]> {
  const tooLate = once(AbortSignal.timeout(READ_MS), 'abort').then(() => unknown);
  return Promise.race([Promise.resolve().then(read), tooLate]).catch(() => unknown);
}

interface ReadMetric {
  readonly definition: MetricDefinition;
  readonly metric: Gauge<string> | Counter<string>;
  readonly readings: readonly Reading[];
}

function show({ definition, metric, readings }: ReadMetric): void {
  metric.reset();
  // prom-client initializes gauges without labels to 0; NaN means unknown.
  if (readings.length === 0 && definition.labels.length === 0 && metric instanceof Gauge) metric.set(NaN);
  for (const [value, labels = {}] of readings)
    if (metric instanceof Gauge) metric.set(labels, value);
    else metric.inc(labels, value);
}

function cacheSources(sources: MetricSources): { readonly sources: MetricSources; forget(this: void): void } {
  const answers = new Map<string, Promise<unknown>>();
  let pools: ReturnType<MetricSources['pools']> | undefined;
  const onceOf =
    <T>(name: string, ask: () => Promise<T>) =>
    (): Promise<T> => {
      const pending = (answers.get(name) as Promise<T> | undefined) ?? ask();
      answers.set(name, pending);
      return pending;
    };
  return {
    sources: {
      ...sources,
      pools: () => (pools ??= sources.pools()),
      hosts: onceOf('hosts', sources.hosts),
      takesWrites: onceOf('takesWrites', sources.takesWrites),
      verdicts: onceOf('verdicts', sources.verdicts),
      seals: onceOf('seals', sources.seals),
    },
    forget() {
      answers.clear();
      pools = undefined;
    },
  };
}

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

interface MetricsPort {
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
