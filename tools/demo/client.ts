import { login } from '@drawhouse/contract/auth/auth';
import { PASSWORD_HEADER } from '@drawhouse/contract/frame/route';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { needsElevation } from '@drawhouse/contract/frame/route-errors';
import { createSemaphore } from '../../apps/server/src/semaphore.ts';

const TIMEOUT_MS = 10_000;
/** A refused sign-in is not tried again before this: five failures in 15 minutes would throttle the name. */
const REFUSED_SIGN_IN_MS = 4 * 60_000;

/** Why a call failed: the server's code and message and the HTTP status; status 0 and `NO_RESPONSE` without an answer. */
export class CallFailed extends Error {
  /** Method and path. */
  readonly call: string;
  readonly code: string;
  readonly status: number;
  /** What the `Retry-After` header asks for. */
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

/** What a single call may be given beside its input. */
export interface CallOptions {
  readonly token?: string;
  /** Of the account, for sensitive calls. */
  readonly password?: string;
  readonly idempotencyKey?: string;
}

/** Calls one route of the contract and gives what it answers; throws {@link CallFailed} for anything else. */
export interface Call {
  <R extends Route>(route: R, input: RouteInput<R>, options?: CallOptions): Promise<RouteAnswer<R>>;
}

/** Who signs in. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface WireInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** A connection to the API. */
export interface Client {
  readonly call: Call;
  /** Waits until no call is under way. */
  quiet(): Promise<void>;
}

/**
 * A client of the server at `base` with at most `atOnce` requests under way; more wait. After the signal no request is
 * sent, and those under way get their answer: cut off, their connections would keep the server from stopping.
 */
export function connect(base: string, atOnce: number, signal: AbortSignal): Client {
  const inTurn = createSemaphore(atOnce).run;
  const underWay = new Set<Promise<void>>();
  return {
    call(route, input, options = {}) {
      const answer = inTurn(() => {
        signal.throwIfAborted();
        return send(base, route, input as WireInput, options);
      });
      const end = (): void => void underWay.delete(ended);
      const ended: Promise<void> = answer.then(end, end);
      underWay.add(ended);
      return answer;
    },
    async quiet() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** So long a call is tried again: a busy machine takes minutes. */
const TRIED_FOR_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * A client that tries again, for some minutes, what got no answer and what a busy server refused, after as long as a 429 or 503 asks for. Each try sends the same
 * Idempotency-Key, so that a call which moves credit happens once.
 */
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

/** Calls as one account, which signs in by itself. */
export interface SignedInCall extends Call {
  /** The token of its session, for what is sent otherwise; signs in where it has to. */
  token(): Promise<string>;
  /** Its session has ended: the next call signs in again. */
  forget(): void;
}

/**
 * Calls as one account. Signs in at the first call, and once more when the session has ended. A refused sign-in is
 * remembered for some minutes and thrown again without a request.
 */
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
      // Another call of this account may have signed in again already.
      if (token === used) token = undefined;
      return call(route, input, { ...options, password, token: await signIn() });
    }
  };
  return Object.assign(asAccount, { token: signIn, forget: () => void (token = undefined) });
}

function waitAfter({ status, retryAfterMs }: CallFailed): number {
  return retryAfterMs ?? (status >= 500 ? 1_000 : REFUSED_SIGN_IN_MS);
}

/** Waits, or less when the signal comes first. */
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
    // An answer that breaks off is none; a refusal without words is one.
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

/** What went wrong, in words; `fetch` itself hides it in the cause. */
export function messageOf(error: unknown): string {
  if (error instanceof CallFailed) return `${error.call}: ${error.message} (${error.code})`;
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
