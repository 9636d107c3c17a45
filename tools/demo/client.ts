import { changePassword, login, session } from '@drawhouse/contract/auth/auth';
import {
  PASSWORD_HEADER,
  needsElevation,
  type Route,
  type RouteAnswer,
  type RouteInput,
} from '@drawhouse/contract/core/route';
import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import { createUuid7 } from '../../apps/server/src/platform/db/sql/uuids.ts';
import type { BrowserContext } from '@playwright/test';

const TIMEOUT_MS = 10_000;
/** Five failures in 15 minutes throttle the username. */
const REFUSED_SIGN_IN_MS = 4 * 60_000;

/** Without an answer, `status` is 0 and `code` is `NO_RESPONSE`. */
export class CallFailed extends Error {
  readonly call: string;
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(call: string, code: string, message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.name = 'CallFailed';
    this.call = call;
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface CallOptions {
  readonly token?: string;
  readonly password?: string;
  readonly idempotencyKey?: string;
}

export interface Call {
  <R extends Route>(route: R, input: RouteInput<R>, options?: CallOptions): Promise<RouteAnswer<R>>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface WireInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

export interface Client {
  readonly call: Call;
  quiet(): Promise<void>;
}

/**
 * The signal stops new requests; pending ones finish, because aborted connections would block the server's shutdown.
 */
export function connect(base: string, atOnce: number, signal: AbortSignal): Client {
  const inTurn = createSemaphore(atOnce).run;
  const running = new Set<Promise<void>>();
  return {
    call(route, input, options = {}) {
      const answer = inTurn(() => {
        signal.throwIfAborted();
        return send(base, route, input as WireInput, options);
      });
      const end = (): void => void running.delete(ended);
      const ended: Promise<void> = answer.then(end, end);
      running.add(ended);
      return answer;
    },
    async quiet() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** A busy machine takes minutes. */
const TRIED_FOR_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 10_000;

/** Retries missing answers and busy refusals, honoring `Retry-After`, under the same Idempotency-Key. */
export function patient(call: Call, signal: AbortSignal): Call {
  return async (route, input, options) => {
    const untilMs = performance.now() + TRIED_FOR_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await call(route, input, options);
      } catch (error) {
        const isBusy = error instanceof CallFailed && [0, 429, 503].includes(error.status);
        const waitMs = isBusy ? (error.retryAfterMs ?? Math.min(500 * tries, LONGEST_PAUSE_MS)) : Infinity;
        if (performance.now() + waitMs > untilMs || signal.aborted) throw error;
        await pause(waitMs, signal);
      }
    }
  };
}

export interface SignedInCall extends Call {
  token(): Promise<string>;
  forget(): void;
}

/** Signs in at the first call and after a session ends. Caches a refused sign-in for some minutes. */
export function signedIn(call: Call, { username, password }: Credentials): SignedInCall {
  let token: Promise<string> | undefined;
  const signIn = (): Promise<string> => {
    token ??= call(login, { body: { username, password, elevation: true } }).then(
      (answer) => answer.token,
      (error: unknown) => {
        const forgetAfterMs = error instanceof CallFailed && error.status >= 400 ? waitAfter(error) : 0;
        setTimeout(() => (token = undefined), forgetAfterMs).unref();
        throw error;
      },
    );
    return token;
  };
  const asAccount: Call = async (route, input, options) => {
    const used = signIn();
    const usedToken = await used;
    try {
      return await call(route, input, { ...options, password, token: usedToken });
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 401) throw error;
      // A concurrent call may already have signed in.
      if (token === used) token = undefined;
      return call(route, input, { ...options, password, token: await signIn() });
    }
  };
  return Object.assign(asAccount, { token: signIn, forget: () => void (token = undefined) });
}

/** Staff must do so before sensitive calls. */
export async function chooseOwnPassword(
  call: Call,
  { username, password }: Credentials,
  firstPassword: string,
): Promise<void> {
  const { token } = await call(login, { body: { username, password: firstPassword } });
  await call(changePassword, { body: { opass: firstPassword, npass: password, cpass: password } }, { token });
}

function waitAfter({ status, retryAfterMs }: CallFailed): number {
  return retryAfterMs ?? (status >= 500 ? 1_000 : REFUSED_SIGN_IN_MS);
}

/** Resolves early on the signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}

async function send<R extends Route>(
  base: string,
  route: R,
  { params, query, body }: WireInput,
  { token, password, idempotencyKey }: CallOptions,
): Promise<RouteAnswer<R>> {
  const headers = new Headers({ Accept: 'application/json' });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (password !== undefined && needsElevation(route)) headers.set(PASSWORD_HEADER, password);
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const name = `${route.method} ${route.path}`;
  const request: RequestInit = {
    method: route.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(urlOf(base, route.path, params, query), request);
    // A truncated answer counts as none; a refusal without a body is valid.
    answer = await response
      .json()
      .catch((error: unknown) => (response.ok ? Promise.reject(error as Error) : undefined));
  } catch (cause) {
    throw new CallFailed(name, 'NO_RESPONSE', `The server does not answer: ${messageOf(cause)}`, 0);
  }
  if (response.ok) return answer as RouteAnswer<R>;
  const { code = 'UNKNOWN', message = response.statusText } = (answer ?? {}) as { code?: string; message?: string };
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new CallFailed(name, code, message, response.status, Number.isFinite(seconds) ? seconds * 1000 : undefined);
}

function urlOf(base: string, path: string, params: WireInput['params'], query: WireInput['query']): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `${base}/api/${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** `fetch` hides the reason in `cause`. */
export function messageOf(error: unknown): string {
  if (error instanceof CallFailed) return `${error.call}: ${error.message} (${error.code})`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/** The server expires requests by the time in their UUIDv7. */
export const newRequestId: () => string = createUuid7(systemClock);

export async function signInAll(context: BrowserContext, call: Call, token: string): Promise<void> {
  const { user, expiresAt } = await call(session, {}, { token });
  const auth = { token, expiresAt: Date.parse(expiresAt), idleMs: 1_800_000, final: false, roles: user.role };
  const stored = JSON.stringify({ auth, users: { authUser: user } });
  await context.addInitScript(`localStorage.setItem('auth', ${JSON.stringify(stored)})`);
}
