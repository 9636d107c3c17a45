import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import { parseExactly } from '@drawhouse/contract/frame/hundredths';
import {
  BACKGROUND_HEADER,
  ELEVATION_HEADER,
  REPEATED_HEADER,
  REQUEST_ID_HEADER,
} from '@drawhouse/contract/frame/route';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { noteRestoring } from './network-restoring.ts';
import { elevationOf } from './page-elevation.ts';
import { noteSaid } from './said-failures.ts';
import { noteAnswer, noteUnanswered } from './server-reach.ts';
import { sessionEndOf } from './session-end.ts';
import type { createSessionStore } from './session-store.ts';

/** A call that failed. */
export class ApiError extends Error {
  /** A code of the contract; `NO_RESPONSE` without an answer; `UNREADABLE` for an answer that is not JSON, as a proxy's; `UNKNOWN` for one without a code. */
  readonly code: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** What is wrong with each field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the request may have reached the server. */
  readonly sent: boolean;
  /** After how many seconds the server wants to be asked again, if it says so. */
  readonly retryAfterS: number | null;
  /** The id of the call in the server's log. */
  readonly requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    details: Partial<Pick<ApiError, 'status' | 'fields' | 'sent' | 'retryAfterS' | 'requestId'>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = details.status ?? 0;
    this.fields = details.fields ?? {};
    this.sent = details.sent ?? true;
    this.retryAfterS = details.retryAfterS ?? null;
    this.requestId = details.requestId;
    noteSaid(message, details.requestId);
  }

  /** Whether the call may have been carried out although it failed. NOT_READY says that nothing was done. */
  get mayBeDone(): boolean {
    if (this.code === 'NO_RESPONSE') return this.sent;
    return this.code === 'UNREADABLE' || (this.status >= 500 && this.code !== 'NOT_READY');
  }
}

/** The parts of a route that a call needs. A declaration of the contract is one; so is an entry without schemas, which a small client can afford. */
export interface CalledRoute<R extends Route> {
  readonly method: R['method'];
  readonly path: R['path'];
  readonly file?: string | undefined;
  readonly takesMinutes?: boolean;
  /** For the compiler only: the route of the contract. */
  readonly of?: R;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Makes a repeated call answer the first result instead of acting twice. */
  readonly idempotencyKey?: string | undefined;
  /** The sentence for a refusal without a message. */
  readonly fallback?: string | undefined;
  /** Called if the answer was given before to a request with the same key, so that nothing was done now. */
  readonly onRepeated?: (() => void) | undefined;
  /** The page asks without its user, so the call does not prolong the session. */
  readonly background?: boolean | undefined;
  /** The call is sent even if the page is left. */
  readonly keepalive?: boolean | undefined;
}

/** What differs between the clients. */
interface ClientOptions<Called extends CalledRoute<Route>> {
  readonly session: Pick<
    ReturnType<typeof createSessionStore>,
    'getSession' | 'endSession' | 'noteServerDate' | 'noteSessionUse'
  >;
  /** The browser's `fetch`. */
  readonly ask: (url: string, request: RequestInit) => Promise<Response>;
  readonly needsElevation: (route: Called) => boolean;
  /** How long an answer may take, in milliseconds; undefined for no limit. */
  readonly waitMs: (route: Called) => number | undefined;
  /** Whether the browser has a network. Without one it sends nothing. */
  readonly isOnline: () => boolean;
  /** Takes the headers of each answer, for the build that the server has. */
  readonly noteHeaders: (headers: Headers) => void;
  readonly texts: { readonly somethingWentWrong: string; readonly noResponse: string; readonly tooSlow: string };
}

interface WireInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** Whether the server asked for the password and did not get it. A user who cancels knows that nothing was done. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === ('CONFIRM_PASSWORD' satisfies ErrorCode);
}

/** Returns `sentence`, and notes which call it is about, so that the page can show the call's id below it. */
export function sayOf(error: unknown, sentence: string): string {
  noteSaid(sentence, error instanceof ApiError ? error.requestId : undefined);
  return sentence;
}

/** Makes the functions that call the routes of the contract. They throw {@link ApiError}; if the server has ended the session, it ends in the client too. */
export function createApiClient<Called extends CalledRoute<Route>>(options: ClientOptions<Called>) {
  const { session, texts } = options;
  let askForPassword = async (): Promise<boolean> => false;

  async function send(
    route: Called,
    { params, query, body }: WireInput,
    how: CallOptions,
    token: string | undefined,
  ): Promise<Response> {
    const { signal, background } = how;
    const elevation = options.needsElevation(route) ? elevationOf(token) : undefined;
    const waitMs = options.waitMs(route);
    const timeout = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs);
    const request: RequestInit = {
      ...requestOf(route, body, how, { token, elevation }),
      signal: AbortSignal.any([signal, timeout].filter((one) => one !== undefined)),
    };
    const sent = options.isOnline();
    let response: Response;
    try {
      response = await options.ask(urlOf(route.path, params, query), request);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      noteUnanswered();
      throw new ApiError('NO_RESPONSE', timeout?.aborted ? texts.tooSlow : texts.noResponse, { sent });
    }
    noteAnswer(response);
    options.noteHeaders(response.headers);
    session.noteServerDate(response.headers.get('Date'));
    if (token && response.ok && !background) session.noteSessionUse(token);
    return response;
  }

  function refusal(answer: unknown, response: Response, token: string | undefined, fallback?: string): ApiError {
    const error = errorOf(answer, response, fallback ?? texts.somethingWentWrong);
    // A superadmin gets this code for any network.
    if (error.code === 'NETWORK_RESTORING' && session.getSession()?.user?.role !== 'superadmin') noteRestoring(true);
    const end = sessionEndOf(error.code);
    if (token && response.status === 401 && end) session.endSession(end, token);
    return error;
  }

  /** Calls a route. If it needs an elevation, asks for the password and repeats the call. */
  async function call<R extends Route>(
    route: Called & CalledRoute<R>,
    input: RouteInput<R>,
    how: CallOptions = {},
  ): Promise<RouteAnswer<R>> {
    const token = session.getSession()?.token;
    const response = await send(route, input as WireInput, how, token);
    const answer = await jsonOf(response);
    if (response.ok && isRecord(answer) && answer['success'] !== false) {
      if (response.headers.has(REPEATED_HEADER)) how.onRepeated?.();
      return answer as RouteAnswer<R>;
    }
    const error = refusal(answer, response, token, how.fallback);
    if (isUnconfirmed(error) && (await askForPassword())) return call(route, input, how);
    throw error;
  }

  /** Calls a route that answers a file, and returns the response while it still arrives. */
  async function callFile<R extends Route>(
    route: Called & CalledRoute<R>,
    input: RouteInput<R>,
    how: CallOptions = {},
  ): Promise<Response> {
    const token = session.getSession()?.token;
    const response = await send(route, input as WireInput, how, token);
    if (response.ok) return response;
    throw refusal(await jsonOf(response), response, token, how.fallback);
  }

  return {
    call,
    callFile,
    /** Sets the function that asks for the password. It answers whether the page has an elevation now. */
    confirmBy: (ask: () => Promise<boolean>): void => {
      askForPassword = ask;
    },
    /** The sentence to show for an error: the message of a call, otherwise `otherwise`. */
    errorMessage: (error: unknown, otherwise: string = texts.somethingWentWrong): string =>
      sayOf(error, error instanceof ApiError ? error.message : otherwise),
  };
}

function requestOf(
  route: CalledRoute<Route>,
  body: unknown,
  { background, keepalive, idempotencyKey }: CallOptions,
  { token, elevation }: { readonly token: string | undefined; readonly elevation: string | undefined },
): RequestInit {
  const headers = new Headers({ Accept: route.file ?? 'application/json' });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (elevation !== undefined) headers.set(ELEVATION_HEADER, elevation);
  // The browser itself sets the type of a form with files.
  const payload = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
  if (typeof payload === 'string') headers.set('Content-Type', 'application/json');
  if (background) headers.set(BACKGROUND_HEADER, '1');
  if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
  return {
    method: route.method,
    headers,
    credentials: 'same-origin',
    ...(payload !== undefined && { body: payload }),
    ...(keepalive && { keepalive }),
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return parseExactly(await response.text());
  } catch {
    return undefined;
  }
}

function urlOf(path: string, params: WireInput['params'], query: WireInput['query']): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return `/api/${filled}${text && `?${text}`}`;
}

function errorOf(answer: unknown, { status, headers }: Response, fallback: string): ApiError {
  const body = isRecord(answer) ? answer : {};
  const code = typeof body['code'] === 'string' ? body['code'] : body === answer ? 'UNKNOWN' : 'UNREADABLE';
  const message = typeof body['message'] === 'string' && body['message'] !== '' ? body['message'] : fallback;
  const fields = isRecord(body['fields']) ? body['fields'] : {};
  const retryAfterS = Number(headers.get('Retry-After') ?? NaN);
  return new ApiError(code, message, {
    status,
    fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, String(text)])),
    retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : null,
    requestId: headers.get(REQUEST_ID_HEADER) ?? undefined,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
