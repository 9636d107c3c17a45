import { BACKGROUND_HEADER, type Route } from '@drawhouse/contract/core/route';
import { isForKeys, mayCall } from '@drawhouse/contract/core/permissions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallerAddress, isAllowed } from '../request/address.ts';
import type { ApiKeyCaller, BoundRoute, Caller, CallerSession } from '../handler.ts';
import type { LoggedCaller } from '../call-log.ts';
import { CallError } from '../http-errors.ts';
import type { Budgets } from './http-limits.ts';
import { cookieTokenOf } from '../request/request-headers.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

const NO_SESSION = '';
const BACKGROUND = BACKGROUND_HEADER.toLowerCase();
/** Sign-ins are far shorter. */
const RETURNING_BODY_BYTES = 1_024;

export interface Admitted<C extends Caller> {
  readonly address: CallerAddress;
  readonly token: string | undefined;
  readonly session: CallerSession<C> | undefined;
  readonly apiKey: ApiKeyCaller | undefined;
  readonly early: boolean;
  /** The address exhausted its unauthenticated budget. Only known accounts, recognized by body, may proceed. */
  readonly refusal: CallError | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted<Caller> | undefined;
  }
}

export interface RouteSupport<C extends Caller> {
  readonly authenticate: Authenticate<C>;
  readonly programs: Programs<C>;
  readonly addressOf: (request: FastifyRequest) => CallerAddress;
  readonly budgets: Budgets;
}

/**
 * The cache may be stale for moments if another server ended the session. `aside`: cache only, and does not count as
 * use.
 */
export type Authenticate<C extends Caller> = (
  token: string,
  how: 'remembered' | 'again' | 'aside',
) => CallerSession<C> | Promise<CallerSession<C>>;

export interface AdmittedKey<C extends Caller> {
  readonly key: ApiKeyCaller;
  readonly actor: C;
}

export interface Programs<C extends Caller = Caller> {
  isApiKey(this: void, token: string): boolean;
  authenticateKey(this: void, token: string, ip: string): Promise<AdmittedKey<C>>;
}

/** Call once per server, before serving routes. */
export function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('admitted', undefined);
  app.decorateRequest('failed', undefined);
}

export function callerOf({ admitted }: FastifyRequest): LoggedCaller | undefined {
  if (admitted?.session) return { account: admitted.session.actor.id };
  return admitted?.apiKey && { apiKey: `${admitted.apiKey.networkId}/${admitted.apiKey.number}` };
}

export function changesState(route: Route): boolean {
  return route.method !== 'GET' || route.changesState === true;
}

export function howToAuthenticate<C extends Caller>(
  { route, judgesSession }: Pick<BoundRoute<C>, 'route' | 'judgesSession'>,
  request: FastifyRequest,
): Parameters<Authenticate<C>>[1] {
  if (changesState(route)) return judgesSession === true ? 'remembered' : 'again';
  return request.headers[BACKGROUND] === undefined ? 'remembered' : 'aside';
}

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
    if (session) requireRights(route, session.actor, parts.address.ip);
    if (session || apiKey) budgets.sessionFound(parts.token!);
  }

  function forget(token: string): (error: unknown) => never {
    return (error) => {
      if (error instanceof CallError && error.status === 401) budgets.sessionEnded(token);
      throw error;
    };
  }

  // Cached sessions, the common path, avoid promises.
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
      if (route.apiKeys !== true && !isForKeys(route))
        throw new CallError('NOT_ALLOWED', { message: HTTP_TEXTS.keyNotAllowed });
      programs
        .authenticateKey(token, address.ip)
        .catch(forget(token))
        .then(({ key, actor }) =>
          admit(request, parts, route.apiKeys === true ? undefined : { id: NO_SESSION, actor }, key),
        )
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

function requireRights(route: Route, caller: Caller, ip: string): void {
  const { role, permissions } = caller;
  if (typeof route.access !== 'string' && !route.access.includes(role)) throw new CallError('NOT_ALLOWED');
  requireAddress(caller, ip);
  if (role !== 'user' && !mayCall(route, permissions)) throw new CallError('NO_PERMISSION');
}

export function requireAddress({ places = [] }: Pick<Caller, 'places'>, ip: string): void {
  if (!places.every((addresses) => isAllowed(addresses, ip)))
    throw new CallError('NOT_ALLOWED', { message: HTTP_TEXTS.wrongAddress });
}

/** Lets known accounts in when their address is rate-limited; otherwise rethrows the limit error. */
async function expectReturning<C extends Caller>(
  { returning }: BoundRoute<C>,
  request: FastifyRequest,
  refusal: unknown,
  { key }: CallerAddress,
): Promise<CallError> {
  // Excludes chunked bodies, which declare no length.
  const isShort = Number(request.headers['content-length']) <= RETURNING_BODY_BYTES;
  if (!(refusal instanceof CallError) || !isShort || !(await returning?.expects(key))) throw refusal;
  return refusal;
}

/** Checks the session cookie. False if unknown or if the lookup fails. Does not count as session use. */
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
