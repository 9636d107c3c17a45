import { Readable } from 'node:stream';
import { BODY_LIMIT_BYTES, REPEATED_HEADER } from '@drawhouse/contract/route';
import type { Route } from '@drawhouse/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from './address.ts';
import { COMPRESSED } from './compression.ts';
import { CallError } from './errors.ts';
import type { AssetAnswer, BoundRoute, Call, Caller, FileAnswer } from './handler.ts';
import type { Budgets } from './limits.ts';
import { readMultipart } from './multipart-body.ts';
import { jsonSchemaOf } from './openapi.ts';
import { validate } from './validate.ts';

/** The cookie that carries the session token for reads. */
const SESSION_COOKIE = 'session-token';

/** What never changes at its address is asked for once by each browser. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

const NO_FILES: ReadonlyMap<string, unknown> = new Map();

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

/** What the routes of a server share. */
export interface RouteSupport<C extends Caller> {
  /** Who a session token belongs to. Throws a CallError when the session has ended. */
  readonly authenticate: (token: string) => Promise<C>;
  /** Where a request comes from. */
  readonly addressOf: (request: FastifyRequest) => string;
  readonly budgets: Budgets;
}

/** Serves a route of the contract: who may, how much, what was sent, the handler, its answer. */
export function serveRoute<C extends Caller>(
  app: FastifyInstance,
  { route, handler, returning, takeFile }: BoundRoute<C>,
  support: RouteSupport<C>,
): void {
  const { authenticate, addressOf, budgets } = support;
  const needsHeader = route.method !== 'GET' || route.changesState === true;
  const status = route.status ?? 200;
  const admitted = new WeakMap<FastifyRequest, Admitted<C>>();
  app.route({
    method: route.method,
    url: `/api/${route.path}`,
    config: { contract: route },
    bodyLimit: route.bodyLimit ?? BODY_LIMIT_BYTES,
    ...(route.file === undefined &&
      route.asset === undefined && {
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
        if (route.asset !== undefined) budgets.page(addressOf(request));
        else budgets.caller(addressOf(request), isPublic ? undefined : token, route.file !== undefined);
      } catch (error) {
        // Not a chunked one, whose length is not said.
        const isShort = Number(request.headers['content-length']) <= RETURNING_BODY_BYTES;
        if (!(error instanceof CallError) || !isShort || !(await returning?.expects(addressKey(addressOf(request)))))
          throw error;
        refusal = error;
      }
      const actor = isPublic ? undefined : await admit(route, token, support);
      admitted.set(request, { token, actor, early: !request.raw.complete, refusal });
    },
    async handler(request, reply) {
      const { token, actor, early, refusal } = admitted.get(request)!;
      const form =
        route.files && takeFile && request.isMultipart()
          ? await readMultipart(request, route.files, takeFile)
          : { body: request.body, files: NO_FILES };
      // A body may take seconds, and the session may have ended meanwhile.
      if (actor && early) await authenticate(token!);
      const { params, query } = request;
      const input = { ...validate(route, { params, query, body: form.body }), files: form.files };
      if (refusal && !(await returning!.take(input as never, addressKey(addressOf(request))))) throw refusal;
      const answer = await handler(input as never, callOf(request, reply, { actor, token }, support));
      if (route.file !== undefined) return sendFile(reply, route.file, answer as FileAnswer);
      if (route.asset !== undefined)
        return reply
          .header('content-type', route.asset)
          .header('cache-control', FOR_EVER)
          .send((answer as AssetAnswer).content);
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
  { authenticate, budgets }: RouteSupport<C>,
): Promise<C> {
  if (token === undefined) throw new CallError('NOT_SIGNED_IN');
  const actor = await authenticate(token).catch((error: unknown) => {
    if (error instanceof CallError && error.status === 401) budgets.sessionEnded(token);
    throw error;
  });
  budgets.sessionFound(token);
  if (typeof route.access !== 'string' && !route.access.includes(actor.role)) throw new CallError('NOT_ALLOWED');
  return actor;
}

function tokenOf(request: FastifyRequest, needsHeader: boolean): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  return needsHeader ? undefined : request.cookies[SESSION_COOKIE];
}

function callOf<C extends Caller>(
  request: FastifyRequest,
  reply: FastifyReply,
  { actor, token }: Pick<Admitted<C>, 'actor' | 'token'>,
  { addressOf, budgets }: RouteSupport<C>,
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
