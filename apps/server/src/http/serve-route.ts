import { Readable } from 'node:stream';
import { ABOUT_HEADER } from '@drawhouse/contract/frame/file-about';
import { BACKGROUND_HEADER, BODY_LIMIT_BYTES, REPEATED_HEADER } from '@drawhouse/contract/frame/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSED } from './compression.ts';
import { CallError } from './http-errors.ts';
import type {
  AssetAnswer,
  BoundRoute,
  Call,
  Caller,
  CallerSession,
  FileAnswer,
  Origin,
  RefusedCall,
} from './handler.ts';
import type { Budgets } from './http-limits.ts';
import { readMultipart } from './multipart-body.ts';
import { jsonSchemaOf } from './openapi.ts';
import { namesIn } from './refused-call.ts';
import { validatorOf } from './validate.ts';

/** The cookie that carries the session token for reads. */
const SESSION_COOKIE = 'session-token';
/** The same over HTTPS: a browser takes a cookie of this name from no other host and from no plain HTTP (RFC 6265bis, 4.1.3.2). */
const SECURE_COOKIE = `__Host-${SESSION_COOKIE}`;

/** What never changes at its address is asked for once by each browser. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

const BACKGROUND = BACKGROUND_HEADER.toLowerCase();

const NO_FILES: ReadonlyMap<string, unknown> = new Map();

/** Who a request was let in as, before its body was read. */
interface Admitted<C extends Caller> {
  readonly address: CallerAddress;
  readonly token: string | undefined;
  readonly session: CallerSession<C> | undefined;
  /** The body was still on its way. */
  readonly early: boolean;
  /** Strangers have used up what the address may ask: only who comes back is heard, which the body tells. */
  readonly refusal: CallError | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted<Caller> | undefined;
  }
}

/** What a body may have that is read only to see who comes back: a sign-in is far shorter. */
const RETURNING_BODY_BYTES = 1_024;

/** Where a request comes from: the address, and what stands for it where calls are counted. */
export interface CallerAddress {
  readonly ip: string;
  readonly key: string;
}

/** What the routes of a server share. */
export interface RouteSupport<C extends Caller> {
  readonly authenticate: Authenticate<C>;
  readonly addressOf: (request: FastifyRequest) => CallerAddress;
  readonly budgets: Budgets;
}

/**
 * Whose session a token is: as it is remembered, which on another server than the one that ended it may be moments too long, or looked
 * up again; `aside` is as it is remembered, and no use of it. Throws a CallError when the session has ended.
 */
export type Authenticate<C extends Caller> = (
  token: string,
  how: 'remembered' | 'again' | 'aside',
) => CallerSession<C> | Promise<CallerSession<C>>;

/** To be called once on a server before its routes are served. */
export function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('admitted', undefined);
}

/** Serves a route of the contract: who may, how much, what was sent, the handler, its answer. */
export function serveRoute<C extends Caller>(
  app: FastifyInstance,
  { route, handler, returning, judgesSession, takeFile }: BoundRoute<C>,
  support: RouteSupport<C>,
): void {
  const { authenticate, addressOf, budgets } = support;
  const changes = route.method !== 'GET' || route.changesState === true;
  const howOf = (request: FastifyRequest) => {
    if (changes) return judgesSession === true ? 'remembered' : 'again';
    return request.headers[BACKGROUND] === undefined ? 'remembered' : 'aside';
  };
  const status = route.status ?? 200;
  const isPublic = route.access === 'public';
  const validate = validatorOf(route);

  function admit(
    request: FastifyRequest,
    parts: Omit<Admitted<C>, 'session' | 'early'>,
    session?: CallerSession<C>,
  ): void {
    request.admitted = { ...parts, session, early: !request.raw.complete };
    if (session && typeof route.access !== 'string' && !route.access.includes(session.actor.role))
      throw new CallError('NOT_ALLOWED');
    if (session) budgets.sessionFound(parts.token!);
  }

  /** Who comes back although strangers have used up what the address may ask; else throws what was thrown for that. */
  async function expectReturning(
    request: FastifyRequest,
    refusal: unknown,
    { key }: CallerAddress,
  ): Promise<CallError> {
    // Not a chunked one, whose length is not said.
    const isShort = Number(request.headers['content-length']) <= RETURNING_BODY_BYTES;
    if (!(refusal instanceof CallError) || !isShort || !(await returning?.expects(key))) throw refusal;
    return refusal;
  }

  app.route({
    // HEAD answers as GET: what changes something has none. Fastify's own would tell the length as it is before it is compressed.
    method: changes ? route.method : ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: `/api/${route.path}`,
    config: { contract: route },
    bodyLimit: route.bodyLimit ?? BODY_LIMIT_BYTES,
    ...(route.file === undefined &&
      route.asset === undefined && {
        compress: COMPRESSED,
        schema: { response: { [status]: forSerializer(jsonSchemaOf(route.response, 'output')) } },
      }),
    // Without a promise where none is needed: most calls are those of sessions that are known.
    onRequest(request, reply, done) {
      reply.header('cache-control', 'no-store');
      const token = tokenOf(request, changes);
      const address = addressOf(request);
      budgets.address(address.key);
      try {
        if (route.asset !== undefined) budgets.page(address.key);
        else budgets.caller(address.key, isPublic ? undefined : token, route.file !== undefined);
      } catch (error) {
        if (!isPublic) throw error;
        expectReturning(request, error, address)
          .then((refusal) => admit(request, { address, token, refusal }))
          .then(() => done(), done);
        return;
      }
      const parts = { address, token, refusal: undefined };
      if (isPublic) {
        admit(request, parts);
        done();
        return;
      }
      if (token === undefined) throw new CallError('NOT_SIGNED_IN');
      const session = authenticate(token, howOf(request));
      if (session instanceof Promise) {
        session
          .catch((error: unknown) => {
            if (error instanceof CallError && error.status === 401) budgets.sessionEnded(token);
            throw error;
          })
          .then((found) => admit(request, parts, found))
          .then(() => done(), done);
        return;
      }
      admit(request, parts, session);
      done();
    },
    async handler(request, reply) {
      const { address, token, session, early, refusal } = request.admitted as Admitted<C>;
      const form =
        route.files && takeFile && request.isMultipart()
          ? await readMultipart(request, route.files, takeFile, session?.id ?? address.key)
          : { body: request.body, files: NO_FILES };
      // A body may take seconds, and the session may have ended meanwhile.
      if (session && early) {
        const still = authenticate(token!, howOf(request));
        if (still instanceof Promise) await still;
      }
      const { params, query } = request;
      const input = { ...validate({ params, query, body: form.body }), files: form.files };
      if (refusal && !(await returning!.take(input as never, address.key))) throw refusal;
      const answer = await handler(input as never, callOf(request, reply, { address, session, token }, budgets));
      if (route.file !== undefined) {
        const { stream, ...file } = answer as FileAnswer;
        if (request.method === 'HEAD') await stream[Symbol.asyncIterator]().return?.();
        return sendFile(reply, route.file, {
          ...file,
          stream: request.method === 'HEAD' ? null : whileLasts(stream, () => authenticate(token!, 'aside')),
        });
      }
      if (route.asset !== undefined)
        return reply
          .header('content-type', route.asset)
          .header('cache-control', FOR_EVER)
          .send((answer as AssetAnswer).content);
      return reply.status(status).send({ success: true, ...answer });
    },
  });
}

/** The answer of a file; without a `stream` what stands above it alone. */
function sendFile(
  reply: FastifyReply,
  type: string,
  { fileName, rows, about, stream }: Omit<FileAnswer, 'stream'> & { readonly stream: FileAnswer['stream'] | null },
): FastifyReply {
  if (rows !== null) reply.header('x-total-rows', rows);
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header(ABOUT_HEADER, about)
    .send(stream && Readable.from(stream, { objectMode: false }));
}

/** A file as long as its session lasts: whoever is signed out or deactivated gets no more of it. */
async function* whileLasts(
  stream: AsyncIterable<Uint8Array>,
  authenticateAgain: () => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    await authenticateAgain();
    yield piece;
  }
}

function tokenOf(request: FastifyRequest, needsHeader: boolean): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  return needsHeader ? undefined : request.cookies[cookieOf(request)];
}

function cookieOf(request: FastifyRequest): string {
  return request.protocol === 'https' ? SECURE_COOKIE : SESSION_COOKIE;
}

/** The call of a session that was refused so; undefined where nobody is signed in. */
export function refusedCall<C extends Caller>(
  request: FastifyRequest,
  { code }: Pick<CallError, 'code'>,
): RefusedCall<C> | undefined {
  const { session, address } = (request.admitted as Admitted<C> | undefined) ?? {};
  if (!session || !address) return undefined;
  const { params, query, body } = request;
  return { actor: session.actor, code, origin: originOf(request, address), names: namesIn(params, query, body) };
}

function originOf(request: FastifyRequest, { ip }: CallerAddress): Pick<Origin, 'url' | 'method' | 'ip'> {
  // Not the query, where a client may put what no log is to keep.
  return { url: request.url.split('?', 1)[0]!.slice(0, 500), method: request.method, ip };
}

function callOf<C extends Caller>(
  request: FastifyRequest,
  reply: FastifyReply,
  { address, session, token }: Pick<Admitted<C>, 'address' | 'session' | 'token'>,
  budgets: Budgets,
): Call<C> {
  const idempotencyKey = request.headers['idempotency-key'];
  let gone: AbortSignal | undefined;
  return {
    get actor(): C {
      if (!session) throw new Error('A public route has no actor.');
      return session.actor;
    },
    get sessionId(): string {
      if (!session) throw new Error('A public route has no session.');
      return session.id;
    },
    get gone(): AbortSignal {
      return (gone ??= goneOf(reply));
    },
    token,
    origin: { ...originOf(request, address), userAgent: (request.headers['user-agent'] ?? '').slice(0, 300) },
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    markRepeated: () => void reply.header(REPEATED_HEADER, 'true'),
    setSessionCookie(value) {
      const attributes = (name: string) =>
        ({ path: '/', httpOnly: true, sameSite: 'strict', secure: name === SECURE_COOKIE }) as const;
      if (value === null) {
        for (const name of [SESSION_COOKIE, SECURE_COOKIE]) reply.clearCookie(name, attributes(name));
        return;
      }
      const name = cookieOf(request);
      reply.setCookie(name, value, attributes(name));
      budgets.sessionFound(value);
    },
  };
}

function goneOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  // Nobody hears what is answered then.
  const leave = (): void => void (raw.writableFinished || leaving.abort(new CallError('NOT_READY')));
  if (raw.closed) leave();
  else raw.once('close', leave);
  return leaving.signal;
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
