import { BACKGROUND_HEADER } from '@drawhouse/contract/frame/route';
import type { Route } from '@drawhouse/contract/frame/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerAddress } from './address.ts';
import type { ApiKeyCaller, BoundRoute, Caller, CallerSession } from './handler.ts';
import type { LoggedCaller } from './call-log.ts';
import { CallError } from './http-errors.ts';
import type { Budgets } from './http-limits.ts';
import { cookieTokenOf } from './session-cookie.ts';

const BACKGROUND = BACKGROUND_HEADER.toLowerCase();
/** What a body may have that is read only to see who comes back: a sign-in is far shorter. */
const RETURNING_BODY_BYTES = 1_024;

/** Who a request was let in as, before its body was read. */
export interface Admitted<C extends Caller> {
  readonly address: CallerAddress;
  readonly token: string | undefined;
  readonly session: CallerSession<C> | undefined;
  /** The program that calls in place of a session. */
  readonly apiKey: ApiKeyCaller | undefined;
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

/** What the routes of a server share. */
export interface RouteSupport<C extends Caller> {
  readonly authenticate: Authenticate<C>;
  readonly programs: Programs;
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

/** The programs that call with API keys. */
export interface Programs {
  /** Whether a token says that it is an API key. */
  isApiKey(this: void, token: string): boolean;
  /** Whose key it is. Throws a CallError where it is none, has ended, or may not be used from this address. */
  authenticateKey(this: void, token: string, ip: string): Promise<ApiKeyCaller>;
}

/** To be called once on a server before its routes are served. */
export function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('admitted', undefined);
  app.decorateRequest('failed', undefined);
}

/** Who makes a call that was let in, as the log names them: the id of the account, or the network and number of the API key. */
export function callerOf({ admitted }: FastifyRequest): LoggedCaller | undefined {
  if (admitted?.session) return { account: admitted.session.actor.id };
  return admitted?.apiKey && { apiKey: `${admitted.apiKey.networkId}/${admitted.apiKey.number}` };
}

/** Whether a route changes something. */
export function changesState(route: Route): boolean {
  return route.method !== 'GET' || route.changesState === true;
}

/** How the session of a call by a route is looked up. */
export function howToAuthenticate<C extends Caller>(
  { route, judgesSession }: Pick<BoundRoute<C>, 'route' | 'judgesSession'>,
  request: FastifyRequest,
): Parameters<Authenticate<C>>[1] {
  if (changesState(route)) return judgesSession === true ? 'remembered' : 'again';
  return request.headers[BACKGROUND] === undefined ? 'remembered' : 'aside';
}

const NOT_FOR_KEYS = 'An API key is for the calls of programs alone. Please sign in for this one.';

/** Makes what lets calls of a route in, or refuses them, before their body is read: by address and budget, session and role. */
export function admission<C extends Caller>(
  bound: BoundRoute<C>,
  { authenticate, programs, addressOf, budgets }: RouteSupport<C>,
): (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void {
  const { route } = bound;
  const isPublic = route.access === 'public';
  const changes = changesState(route);

  function admit(
    request: FastifyRequest,
    parts: Omit<Admitted<C>, 'session' | 'apiKey' | 'early'>,
    session?: CallerSession<C>,
    apiKey?: ApiKeyCaller,
  ): void {
    request.admitted = { ...parts, session, apiKey, early: !request.raw.complete };
    if (session && typeof route.access !== 'string' && !route.access.includes(session.actor.role))
      throw new CallError('NOT_ALLOWED');
    if (session || apiKey) budgets.sessionFound(parts.token!);
  }

  /** Forgets a token that has ended: from now on it is one that nobody knows. */
  function forget(token: string): (error: unknown) => never {
    return (error) => {
      if (error instanceof CallError && error.status === 401) budgets.sessionEnded(token);
      throw error;
    };
  }

  // Without a promise where none is needed: most calls are those of sessions that are known.
  return (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    const token = tokenOf(request, changes);
    const address = addressOf(request);
    budgets.address(address.key);
    try {
      if (route.asset !== undefined) budgets.page(address.key);
      else budgets.caller(address.key, isPublic ? undefined : token, route.file !== undefined);
    } catch (error) {
      if (!isPublic) throw error;
      expectReturning(bound, request, error, address)
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
    if (programs.isApiKey(token)) {
      if (route.apiKeys !== true) throw new CallError('NOT_ALLOWED', { message: NOT_FOR_KEYS });
      programs
        .authenticateKey(token, address.ip)
        .catch(forget(token))
        .then((apiKey) => admit(request, parts, undefined, apiKey))
        .then(() => done(), done);
      return;
    }
    const session = authenticate(token, howToAuthenticate(bound, request));
    if (session instanceof Promise) {
      session
        .catch(forget(token))
        .then((found) => admit(request, parts, found))
        .then(() => done(), done);
      return;
    }
    admit(request, parts, session);
    done();
  };
}

/** Who comes back although strangers have used up what the address may ask; else throws what was thrown for that. */
async function expectReturning<C extends Caller>(
  { returning }: BoundRoute<C>,
  request: FastifyRequest,
  refusal: unknown,
  { key }: CallerAddress,
): Promise<CallError> {
  // Not a chunked one, whose length is not said.
  const isShort = Number(request.headers['content-length']) <= RETURNING_BODY_BYTES;
  if (!(refusal instanceof CallError) || !isShort || !(await returning?.expects(key))) throw refusal;
  return refusal;
}

/**
 * Whether the cookie of a request is that of a player's session. What is not known, or can't be known now, is none; that it was asked is no
 * use of the session.
 */
export async function isPlayer<C extends Caller>(
  request: FastifyRequest,
  { authenticate, addressOf, budgets }: Omit<RouteSupport<C>, 'programs'>,
): Promise<boolean> {
  const token = cookieTokenOf(request);
  if (token === undefined) return false;
  try {
    budgets.caller(addressOf(request).key, token, false);
    return (await authenticate(token, 'aside')).actor.role === 'user';
  } catch {
    return false;
  }
}

function tokenOf(request: FastifyRequest, needsHeader: boolean): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && token) return token;
  return needsHeader ? undefined : cookieTokenOf(request);
}
