import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ABOUT_HEADER } from '@drawhouse/contract/core/list-file';
import { BODY_LIMIT_BYTES, REPEATED_HEADER, type Route } from '@drawhouse/contract/core/route';
import { memoizeByObject } from '@drawhouse/rules/memoize';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerAddress } from './request/address.ts';
import { COMPRESSED } from './request/compression.ts';
import { CallError } from './http-errors.ts';
import { admission, changesState, howToAuthenticate, type Admitted, type RouteSupport } from './limits/admit-call.ts';
import type { AssetAnswer, BoundRoute, Call, Caller, FileAnswer, Origin, RefusedCall } from './handler.ts';
import { readMultipart } from './request/multipart-body.ts';
import { jsonSchemaOf } from './openapi.ts';
import { namesIn, type Budgets } from './limits/http-limits.ts';
import { HTTP_TEXTS } from './http-texts.ts';
import { deviceOf, setDeviceCookie, setSessionCookie } from './request/request-headers.ts';
import { validatorOf } from './request/validate.ts';

export const FOR_EVER = 'public, max-age=31536000, immutable';

const NO_FILES: ReadonlyMap<string, unknown> = new Map();

export function serveRoute<C extends Caller>(
  app: FastifyInstance,
  bound: BoundRoute<C>,
  support: RouteSupport<C>,
): void {
  const { route } = bound;
  const status = route.status ?? 200;
  app.route({
    // HEAD matches GET on read-only routes. Fastify's own HEAD would report the uncompressed length.
    method: changesState(route) ? route.method : ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: `/api/${route.path}`,
    config: { contract: route, isSummedUp: bound.judgesSession === true },
    bodyLimit: route.bodyLimit ?? BODY_LIMIT_BYTES,
    ...(route.file === undefined &&
      route.asset === undefined && {
        compress: COMPRESSED,
        schema: { response: { [status]: jsonSchemaOf(route.response, 'output') } },
        serializerCompiler: () => bound.write ?? serializerOf(route.response),
      }),
    onRequest: admission(bound, support),
    handler: answering(bound, support),
  });
}

function answering<C extends Caller>(
  bound: BoundRoute<C>,
  { authenticate, programs, budgets }: RouteSupport<C>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { route, handler, returning, takeFile, readPlain } = bound;
  const validate = validatorOf(route, readPlain);
  return async (request, reply) => {
    const admitted = request.admitted as Admitted<C>;
    const { address, token, session, early, refusal } = admitted;
    const form =
      route.files && takeFile && request.isMultipart()
        ? await readMultipart(request, route.files, takeFile, session?.id ?? address.key)
        : { body: request.body, files: NO_FILES };
    // The session may have ended while the body arrived.
    if (session && early && !admitted.apiKey) {
      const still = authenticate(token!, howToAuthenticate(bound, request));
      if (still instanceof Promise) await still;
    }
    const { params, query } = request;
    const input = { ...validate({ params, query, body: form.body }), files: form.files };
    if (refusal && !(await returning!.take(input as never, address.key))) throw refusal;
    const call = new AdmittedCall(request, reply, admitted, budgets);
    const act = (): Promise<object> => handler(input as never, call);
    const answer = await (route.takesMinutes ? withoutIdleTimeout(request, act) : act());
    if (route.file !== undefined)
      return sendFile(request, reply, route.file, answer as FileAnswer, () =>
        admitted.apiKey ? programs.authenticateKey(token!, address.ip) : authenticate(token!, 'aside'),
      );
    if (route.asset !== undefined)
      return reply
        .header('content-type', route.asset)
        .header('cache-control', FOR_EVER)
        .send((answer as AssetAnswer).content);
    return reply.status(route.status ?? 200).send({ success: true, ...answer });
  };
}

async function withoutIdleTimeout<T>({ socket, server }: FastifyRequest, act: () => Promise<T>): Promise<T> {
  // Injected requests have no socket.
  if (!(socket instanceof Socket)) return act();
  socket.setTimeout(0);
  try {
    return await act();
  } finally {
    socket.setTimeout(server.server.timeout);
  }
}

/** Stops when the session ends. HEAD sends headers only. */
async function sendFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { fileName, rows, about, stream }: FileAnswer,
  authenticateAgain: () => unknown,
): Promise<FastifyReply> {
  if (method === 'HEAD') await releaseStream(stream);
  if (rows !== null) reply.header('x-total-rows', rows);
  if (about !== undefined) reply.header(ABOUT_HEADER, about);
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(method === 'HEAD' ? null : Readable.from(untilSessionEnds(stream, authenticateAgain), { objectMode: false }));
}

async function releaseStream(stream: FileAnswer['stream']): Promise<void> {
  if (stream instanceof Readable) stream.destroy();
  else await stream[Symbol.asyncIterator]().return?.();
}

async function* untilSessionEnds(
  stream: AsyncIterable<Uint8Array>,
  authenticateAgain: () => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    await authenticateAgain();
    yield piece;
  }
}

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
  return { url: request.url.split('?', 1)[0]!.slice(0, 500), method: request.method, ip };
}

/** A class with lazy getters: an object with getters per call costs more than a short call itself. */
class AdmittedCall<C extends Caller> implements Call<C> {
  readonly apiKey: Call<C>['apiKey'];
  guard: Call<C>['guard'];
  readonly token: string | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #admitted: Admitted<C>;
  readonly #budgets: Budgets;
  #aborted: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, admitted: Admitted<C>, budgets: Budgets) {
    this.apiKey = admitted.apiKey;
    this.token = admitted.token;
    this.#request = request;
    this.#reply = reply;
    this.#admitted = admitted;
    this.#budgets = budgets;
  }

  get actor(): C {
    if (!this.#admitted.session) throw new Error('A public route has no actor.');
    return this.#admitted.session.actor;
  }

  get sessionId(): string {
    if (!this.#admitted.session) throw new Error('A public route has no session.');
    if (this.apiKey) throw new CallError('NOT_ALLOWED', { message: HTTP_TEXTS.keyNotAllowed });
    return this.#admitted.session.id;
  }

  get origin(): Origin {
    const userAgent = (this.#request.headers['user-agent'] ?? '').slice(0, 300);
    return { ...originOf(this.#request, this.#admitted.address), userAgent };
  }

  get aborted(): AbortSignal {
    return (this.#aborted ??= abortedSignal(this.#reply));
  }

  get header(): Call['header'] {
    return (name) => {
      const value = this.#request.headers[name.toLowerCase()];
      return typeof value === 'string' ? value : undefined;
    };
  }

  get idempotencyKey(): string | undefined {
    return this.header('idempotency-key');
  }

  get charge(): Call['charge'] {
    return (calls) => void (this.token !== undefined && this.#budgets.more(this.token, calls));
  }

  get markRepeated(): Call['markRepeated'] {
    return () => void this.#reply.header(REPEATED_HEADER, 'true');
  }

  get device(): string | undefined {
    return deviceOf(this.#request);
  }

  get setDeviceCookie(): Call['setDeviceCookie'] {
    return (secret, forMs) => setDeviceCookie(this.#request, this.#reply, secret, forMs);
  }

  get setSessionCookie(): Call['setSessionCookie'] {
    return (token) => {
      setSessionCookie(this.#request, this.#reply, token);
      if (token !== null) this.#budgets.sessionFound(token);
    };
  }
}

function abortedSignal({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  const leave = (): void => void (raw.writableFinished || leaving.abort(new CallError('NOT_READY')));
  if (raw.closed) leave();
  else raw.once('close', leave);
  return leaving.signal;
}

type Serializer = (answer: unknown) => string;

/** Compiling dominates server start, and tests start many. */
const serializerOf = memoizeByObject(
  (response: Route['response']) =>
    fastJsonStringify(forSerializer(jsonSchemaOf(response, 'output')) as object) as Serializer,
);

/**
 * Strips formats and patterns, which the contract already checks. Writes numbers like `JSON.stringify`, because the
 * serializer would round large points. Tuples need their item types, and contain no points.
 */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('type' in schema && [schema.type].flat().includes('number')) return {};
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !((key === 'format' || key === 'pattern') && typeof value === 'string'))
      .map(([key, value]) => [key, key === 'items' && Array.isArray(value) ? value : forSerializer(value)]),
  );
}
