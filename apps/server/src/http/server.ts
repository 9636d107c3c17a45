import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ERRORS } from '@drawhouse/contract/errors';
import { BODY_LIMIT_BYTES, BUILD_HEADER, REPEATED_HEADER } from '@drawhouse/contract/route';
import type { Route } from '@drawhouse/contract/route';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import { addressIn, addressKey } from './address.ts';
import { COMPRESSED, compressAnswers } from './compression.ts';
import { connectionTimes, limitConnections } from './connections.ts';
import { CallError, notReady } from './errors.ts';
import type { BoundRoute, Call, Caller, FileAnswer } from './handler.ts';
import { serveHealth } from './health.ts';
import type { Health } from './health.ts';
import { parseJsonBody } from './json-body.ts';
import { budgetsOf } from './limits.ts';
import type { Budgets, HttpLimits } from './limits.ts';
import { jsonSchemaOf, openApiOf } from './openapi.ts';
import { createTurns } from './turns.ts';
import { validate } from './validate.ts';
import { readWebPage } from './web-page.ts';
import { serveWeb } from './web.ts';

/** The cookie that carries the session token for reads. */
export const SESSION_COOKIE = 'session-token';

/** A body above this takes a millisecond or more to parse and check, and waits for its turn. */
const HEAVY_BODY_BYTES = 4_096;

/** What the web server is made of. */
export interface HttpOptions<C extends Caller> {
  readonly routes: readonly BoundRoute<C>[];
  /** Who a session token belongs to. Throws a CallError when the session has ended. */
  authenticate(token: string): Promise<C>;
  /** What `/readyz` and `/healthz` say. */
  readonly health: Health;
  readonly version: string;
  readonly logger: Logger;
  readonly trustProxy: boolean;
  readonly limits: HttpLimits;
  /** The time for the limits, in milliseconds. */
  readonly nowMs: () => number;
  /** The folder of the built web app; without it only the API is served. */
  readonly webRoot: string | undefined;
}

/** Sets Fastify up: security headers, the contract's routes under /api, OpenAPI, health, and the web app. */
export async function createHttpServer<C extends Caller>(options: HttpOptions<C>): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.logger,
    // One proxy: only the last address in X-Forwarded-For is its word, those before it are whatever the client wrote.
    trustProxy: options.trustProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // At the end idle connections are cut, and those with a request get their answer.
    forceCloseConnections: 'idle',
    ...connectionTimes(options.limits),
    // What Fastify refuses before a route is found, such as a malformed path, reads like every other failure.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }) as unknown as FastifyInstance;
  if (!options.trustProxy) limitConnections(app.server, options.limits.connectionsPerAddress);
  const budgets = budgetsOf(options.limits, options.nowMs);
  const page = readWebPage(options.webRoot);
  await compressAnswers(app);
  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        'img-src': ["'self'", 'data:', 'blob:'],
        'connect-src': ["'self'", 'ws:', 'wss:'],
        'script-src': ["'self'", ...(page?.inlineScripts ?? [])],
        'upgrade-insecure-requests': null,
      },
    },
    // The server itself speaks plain HTTP; whoever puts HTTPS in front decides on HSTS.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  app.removeAllContentTypeParsers();
  const heavyTurn = createTurns();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      if (text.length > HEAVY_BODY_BYTES) await heavyTurn();
      return text === '' ? undefined : parseJsonBody(text);
    },
  );
  const build = page?.build;
  if (build !== undefined) app.addHook('onRequest', async (_request, reply) => void reply.header(BUILD_HEADER, build));
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onSend', async (_request, reply) => void (closing && reply.header('connection', 'close')));
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof CallError) || error.code !== 'THROTTLED') return sendError(error, request, reply);
    setTimeout(() => void sendError(error, request, reply), options.limits.refusedAfterMs);
    return reply;
  });

  serveHealth(app, options.health);
  for (const bound of options.routes) register(app, bound, options, budgets);
  await app.register(async (description) => {
    description.addHook('onRequest', async (request) => {
      budgets.address(addressOf(request));
      budgets.caller(addressOf(request), undefined, false);
    });
    await describe(description, options);
  });
  await app.register(async (pages) => {
    pages.addHook('onRequest', async (request) => {
      budgets.page(addressOf(request));
      // Nobody reads the body of a call that is not there.
      if (request.is404 && request.method !== 'GET') throw new CallError('NOT_FOUND');
    });
    await serveWeb(pages, page && options.webRoot, (request, reply) =>
      sendError(new CallError('NOT_FOUND'), request, reply),
    );
  });
  return app;
}

/** Who a request was let in as, before its body was read. */
interface Admitted<C extends Caller> {
  readonly token: string | undefined;
  readonly actor: C | undefined;
  /** The body was still on its way. */
  readonly early: boolean;
  /** Strangers have used up what the address may ask: only who comes back is heard, which the body tells. */
  readonly refusal: CallError | undefined;
}

/** What a body may have that is read only to see who comes back: a sign-in is far shorter. */
const RETURNING_BODY_BYTES = 1_024;

function register<C extends Caller>(
  app: FastifyInstance,
  { route, handler, returning }: BoundRoute<C>,
  options: HttpOptions<C>,
  budgets: Budgets,
): void {
  const needsHeader = route.method !== 'GET' || route.changesState === true;
  const status = route.status ?? 200;
  const admitted = new WeakMap<FastifyRequest, Admitted<C>>();
  app.route({
    method: route.method,
    url: `/api/${route.path}`,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT_BYTES,
    ...(route.file === undefined && {
      compress: COMPRESSED,
      schema: { response: { [status]: forSerializer(jsonSchemaOf(route.response, 'output')) } },
    }),
    async onRequest(request, reply) {
      reply.header('cache-control', 'no-store');
      const token = tokenOf(request, needsHeader);
      budgets.address(addressOf(request));
      const isPublic = route.access === 'public';
      let refusal: CallError | undefined;
      try {
        budgets.caller(addressOf(request), isPublic ? undefined : token, route.file !== undefined);
      } catch (error) {
        // Not a chunked one, whose length is not said.
        const isShort = Number(request.headers['content-length']) <= RETURNING_BODY_BYTES;
        if (!(error instanceof CallError) || !isShort || !(await returning?.expects(addressKey(addressOf(request)))))
          throw error;
        refusal = error;
      }
      const actor = isPublic ? undefined : await admit(route, token, options, budgets);
      admitted.set(request, { token, actor, early: !request.raw.complete, refusal });
    },
    async handler(request, reply) {
      const { token, actor, early, refusal } = admitted.get(request)!;
      // A body may take seconds, and the session may have ended meanwhile.
      if (actor && early) await options.authenticate(token!);
      const input = validate(route, request);
      if (refusal && !(await returning!.take(input as never, addressKey(addressOf(request))))) throw refusal;
      const answer = await handler(input as never, callOf(request, reply, actor, token, budgets));
      if (route.file !== undefined) return sendFile(reply, route.file, answer as FileAnswer);
      return reply.status(status).send({ success: true, ...answer });
    },
  });
}

function sendFile(reply: FastifyReply, type: string, { fileName, rows, stream }: FileAnswer): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('x-total-rows', rows)
    .send(Readable.fromWeb(stream));
}

async function admit<C extends Caller>(
  route: Route,
  token: string | undefined,
  options: HttpOptions<C>,
  budgets: Budgets,
): Promise<C> {
  if (token === undefined) throw new CallError('NOT_SIGNED_IN');
  const actor = await options.authenticate(token).catch((error: unknown) => {
    if (error instanceof CallError && error.status === 401) budgets.sessionEnded(token);
    throw error;
  });
  budgets.sessionFound(token);
  if (typeof route.access !== 'string' && !route.access.includes(actor.role)) throw new CallError('NOT_ALLOWED');
  return actor;
}

/** Where a request comes from: what the proxy says where it is an address, else the other end of the connection. */
function addressOf(request: FastifyRequest): string {
  return addressIn(request.ip) ?? addressIn(request.socket.remoteAddress) ?? '';
}

function tokenOf(request: FastifyRequest, needsHeader: boolean): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  return needsHeader ? undefined : request.cookies[SESSION_COOKIE];
}

function callOf<C extends Caller>(
  request: FastifyRequest,
  reply: FastifyReply,
  actor: C | undefined,
  token: string | undefined,
  budgets: Budgets,
): Call<C> {
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    get actor(): C {
      if (!actor) throw new Error('A public route has no actor.');
      return actor;
    },
    token,
    origin: {
      url: request.url.slice(0, 500),
      method: request.method,
      ip: addressOf(request),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    },
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    markRepeated: () => void reply.header(REPEATED_HEADER, 'true'),
    setSessionCookie(value) {
      const attributes = {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: request.protocol === 'https',
      } as const;
      if (value === null) {
        reply.clearCookie(SESSION_COOKIE, attributes);
        return;
      }
      reply.setCookie(SESSION_COOKIE, value, attributes);
      budgets.sessionFound(value);
    },
  };
}

/** Formats and patterns are the contract's business; left in, the serializer would check or convert them again. */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !((key === 'format' || key === 'pattern') && typeof value === 'string'))
      .map(([key, value]) => [key, forSerializer(value)]),
  );
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof CallError ? error : fromFastify(error as { code?: string; statusCode?: number });
  if (!known) request.log.error({ error, url: request.url }, 'call failed');
  const failure = known ?? new CallError('INTERNAL');
  const retryAfterSeconds = failure.retryAfterSeconds ?? (failure.status === 503 ? 1 : undefined);
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
  // What is still on its way is read to its end and thrown away where it is little; else the connection ends.
  const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
  if (!request.raw.complete && (chunked !== undefined || Number(length) > BODY_LIMIT_BYTES))
    reply.header('connection', 'close');
  return reply
    .status(failure.status)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(failure.toBody()));
}

function fromFastify(error: { code?: string; statusCode?: number; message?: string }): CallError | undefined {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new CallError('BODY_TOO_LARGE');
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new CallError('UNSUPPORTED_MEDIA_TYPE');
  if (error instanceof DatabaseUnavailable) return notReady(error);
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500
    ? new CallError('INVALID_INPUT', { message: error.message ?? ERRORS.INVALID_INPUT.message })
    : undefined;
}

async function describe<C extends Caller>(app: FastifyInstance, options: HttpOptions<C>): Promise<void> {
  const document = openApiOf(
    options.routes.map((bound) => bound.route),
    options.version,
  );
  const text = JSON.stringify(document);
  app.get('/api/openapi.json', { compress: COMPRESSED }, async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(text),
  );
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, uiConfig: { docExpansion: 'none' } });
}
