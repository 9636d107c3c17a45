import type { ErrorCode } from '@drawhouse/contract/core/errors';
import {
  BODY_LIMIT_BYTES,
  BUILD_HEADER,
  PLAYERS_BUILD_HEADER,
  type Route,
  REQUEST_ID_HEADER,
} from '@drawhouse/contract/core/route';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Team } from '../cluster/team.ts';
import { addressOfCaller, type CallerAddress, hasOneHost } from './request/address.ts';
import { servePeerRequests } from './peer-requests.ts';
import {
  type Authenticate,
  callerOf,
  isPlayer,
  prepareRequests,
  type Programs,
  type RouteSupport,
} from './limits/admit-call.ts';
import { compressAnswers, COMPRESSED } from './request/compression.ts';
import { CallLog, type OnAnswered, type CallSums } from './call-log.ts';
import { connectionTimes, limitConnections, type RejectedConnections } from './limits/connections.ts';
import { CallError, errorSender, type SendError } from './http-errors.ts';
import type { BoundRoute, Caller, RefusedCall } from './handler.ts';
import { parseJsonBody } from './request/json-body.ts';
import type { Budgets, HttpLimits } from './limits/http-limits.ts';
import { openApiOf } from './openapi.ts';
import { securityHeaders } from './web/security-headers.ts';
import { refusedCall, serveRoute } from './serve-route.ts';
import type { NewRequestId } from './request/request-headers.ts';
import { type DressPage, readWebPage, serveWeb, type WebPages } from './web/serve-web.ts';
import { HTTP_TEXTS } from './http-texts.ts';

/** Parsing larger bodies takes a millisecond or more, so they queue. */
const HEAVY_BODY_BYTES = 4_096;

export interface HttpOptions<C extends Caller> {
  readonly routes: readonly BoundRoute<C>[];
  readonly authenticate: Authenticate<C>;
  readonly programs: Programs<C>;
  readonly health: Health;
  readonly undeclared: (route: Route, code: ErrorCode) => void;
  readonly refused: (call: RefusedCall<C>) => void;
  readonly version: string;
  readonly logger: Logger;
  readonly newRequestId: NewRequestId;
  readonly answered?: OnAnswered | undefined;
  readonly sums: CallSums;
  readonly turnedAway: Pick<RejectedConnections, 'note'>;
  readonly trustProxy: boolean;
  readonly team?: Team | undefined;
  /** Public routes outside the contract. */
  readonly extend?: ((app: FastifyInstance) => Promise<void>) | undefined;
  readonly limits: HttpLimits;
  readonly budgets: Budgets;
  readonly webRoot: string | undefined;
  readonly playersRoot: string | undefined;
  readonly dress?: DressPage | undefined;
}

export async function createHttpServer<C extends Caller>(options: HttpOptions<C>): Promise<FastifyInstance> {
  const { trustProxy, limits, budgets, authenticate, programs, logger, newRequestId } = options;
  const sendError = errorSender(options.undeclared);
  const { answered, sums } = options;
  const calls = new CallLog(logger, { nameCaller: callerOf, answered, sums });
  const app = fastify({
    loggerInstance: logger,
    logController: calls,
    genReqId: newRequestId,
    // The first hop's protocol decides on secure cookies.
    trustProxy: trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // A busy machine may describe all routes for longer than the default of ten seconds.
    pluginTimeout: 600_000,
    // On close, idle connections are cut; active requests finish.
    forceCloseConnections: 'idle',
    ...connectionTimes(limits, newRequestId, logger),
    frameworkErrors: (error, request, reply) => calls.requestCompleted(null, request, sendError(error, request, reply)),
  }) as unknown as FastifyInstance;
  const { turnedAway, team } = options;
  if (!trustProxy) limitConnections(app.server, limits.connectionsPerAddress, turnedAway.note, team?.seats);
  if (team) await servePeerRequests(app.server, team.socketOf(team.slot, 'requests'));
  const addressOf = ({ raw }: FastifyRequest): CallerAddress => addressOfCaller(raw, trustProxy);
  const pages: WebPages = { web: readWebPage(options.webRoot), players: readWebPage(options.playersRoot) };
  await compressAnswers(app);
  await app.register(cookie);
  takeJsonAlone(app);
  addHeaders(app, pages);
  closeConnectionsOnShutdown(app);
  sendErrors(app, options, sendError);

  serveHealth(app, options.health);
  prepareRequests(app);
  await serveRoutes(app, options.routes, { authenticate, programs, addressOf, budgets });
  await app.register(async (description) => {
    description.addHook('onRequest', async (request) => {
      const { key } = addressOf(request);
      budgets.address(key);
      budgets.caller(key, undefined, false);
    });
    await describe(description, options);
  });
  if (options.extend !== undefined) {
    const { extend } = options;
    await app.register(async (served) => {
      served.addHook('onRequest', async (request) => budgets.page(addressOf(request).key));
      await extend(served);
    });
  }
  await app.register(async (served) => {
    served.addHook('onRequest', async (request) => {
      budgets.page(addressOf(request).key);
      // Bodies for unknown routes stay unread.
      if (request.is404 && request.method !== 'GET') throw new CallError('NOT_FOUND');
    });
    await serveWeb(
      served,
      { web: pages.web && options.webRoot, players: pages.players && options.playersRoot },
      {
        pages,
        dress: options.dress,
        isPlayer: (request) => isPlayer(request, { authenticate, addressOf, budgets }),
        notFound: (request, reply) => sendError(new CallError('NOT_FOUND'), request, reply),
      },
    );
  });
  return app;
}

function takeJsonAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const heavyTurn = createTurns();
  const parse = (request: FastifyRequest, text: string): unknown =>
    text === '' ? undefined : parseJsonBody(text, request.routeOptions.config.contract?.matches);
  // Avoids promises on the common path.
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length > HEAVY_BODY_BYTES) return heavyTurn().then(() => parse(request, text));
    done(null, parse(request, text));
    return undefined;
  });
}

function addHeaders(app: FastifyInstance, { web, players }: WebPages): void {
  const inline = (of: 'inlineScripts' | 'inlineStyles'): string[] => [
    ...new Set([web, players].flatMap((page) => page?.[of] ?? [])),
  ];
  const everywhere = {
    ...securityHeaders({ scripts: inline('inlineScripts'), styles: inline('inlineStyles') }),
    ...(web?.build !== undefined && { [BUILD_HEADER]: web.build }),
    ...(players?.build !== undefined && { [PLAYERS_BUILD_HEADER]: players.build }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere);
    if (!hasOneHost(request.raw)) throw new CallError('INVALID_INPUT', { message: HTTP_TEXTS.oneHost });
    done();
  });
}

function closeConnectionsOnShutdown(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

function sendErrors<C extends Caller>(
  app: FastifyInstance,
  { refused, limits }: HttpOptions<C>,
  sendError: SendError,
): void {
  app.setErrorHandler((error, request, reply) => {
    const isRefusal = error instanceof CallError && (error.status === 403 || error.status === 404);
    const call = isRefusal ? refusedCall<C>(request, error) : undefined;
    if (call) refused(call);
    if (!(error instanceof CallError) || error.code !== 'THROTTLED') return sendError(error, request, reply);
    setTimeout(() => void sendError(error, request, reply), limits.refusedAfterMs);
    return reply;
  });
}

async function serveRoutes<C extends Caller>(
  app: FastifyInstance,
  routes: readonly BoundRoute<C>[],
  support: RouteSupport<C>,
): Promise<void> {
  for (const bound of routes) if (!bound.takeFile) serveRoute(app, bound, support);
  // Only these routes accept multipart forms; others refuse unread.
  await app.register(async (forms) => {
    await forms.register(multipart, { throwFileSizeLimit: false });
    for (const bound of routes) if (bound.takeFile) serveRoute(forms, bound, support);
  });
}

async function describe<C extends Caller>(app: FastifyInstance, options: HttpOptions<C>): Promise<void> {
  const document = openApiOf(
    options.routes.map((bound) => bound.route),
    options.version,
  );
  let text: string | undefined;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/openapi.json',
    compress: COMPRESSED,
    exposeHeadRoute: false,
    handler: async (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send((text ??= JSON.stringify(document))),
  });
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, uiConfig: { docExpansion: 'none' } });
}

/**
 * Spreads work that blocks the event loop for milliseconds: one piece per loop iteration, so other requests run in
 * between.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise<void>((begin) => setImmediate(begin))));
}

const PROBE_MS = 2_000;

interface Health {
  started(): boolean;
  askDatabase(): Promise<unknown>;
  takesWrites(): Promise<boolean>;
}

/**
 * `/healthz`: process alive, plus database state; always 200, because a restart would not help. `/readyz`: 200 when
 * ready, else 503 with the reason in `status`. Both are public.
 */
function serveHealth(app: FastifyInstance, health: Health): void {
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
