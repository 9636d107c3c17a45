import type { ErrorCode } from '@drawhouse/contract/core/errors';
import { parseExactly } from '@drawhouse/contract/core/hundredths';
import {
  BACKGROUND_HEADER,
  CELL_HEADER,
  ELEVATION_HEADER,
  ELEVATION_MINUTES,
  REPEATED_HEADER,
  REQUEST_ID_HEADER,
  type Route,
  type RouteAnswer,
  type RouteInput,
} from '@drawhouse/contract/core/route';
import { networkRestoring, noteAnswer, reportNoAnswer } from './server-reach.ts';
import { sessionEndOf } from './session-end.ts';
import type { SessionStore } from './session-store.ts';

export class ApiError extends Error {
  /** A contract code, or `NO_RESPONSE` (no answer), `UNREADABLE` (not JSON, e.g. from a proxy), `UNKNOWN` (no code). */
  readonly code: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly sent: boolean;
  /** In seconds. */
  readonly retryAfterS: number | null;
  readonly requestId: string | undefined;
  /** Present for SECOND_FACTOR: the sign-in continues at `auth/factor`. */
  readonly challenge: string | undefined;

  constructor(
    code: string,
    message: string,
    details: Partial<Pick<ApiError, 'status' | 'fields' | 'sent' | 'retryAfterS' | 'requestId' | 'challenge'>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = details.status ?? 0;
    this.fields = details.fields ?? {};
    this.sent = details.sent ?? true;
    this.retryAfterS = details.retryAfterS ?? null;
    this.requestId = details.requestId;
    this.challenge = details.challenge;
    recordRequestId(message, code === MISTYPED ? undefined : details.requestId);
  }

  /** The call may have taken effect despite failing. NOT_READY means it did not. */
  get mayBeDone(): boolean {
    if (this.code === 'NO_RESPONSE') return this.sent;
    return this.code === 'UNREADABLE' || (this.status >= 500 && this.code !== 'NOT_READY');
  }
}

const WRONG_CELL = 421;

/** Tried again rather than reported, so no request id is shown. */
const MISTYPED: ErrorCode = 'WRONG_FACTOR';

/** Small clients use entries without schemas. */
export interface CalledRoute<R extends Route> {
  readonly method: R['method'];
  readonly path: R['path'];
  readonly file?: string | undefined;
  readonly takesMinutes?: boolean;
  readonly of?: R;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly fallback?: string | undefined;
  /** The answer repeats an earlier one for the same key. */
  readonly onRepeated?: (() => void) | undefined;
  /** Does not extend the session. */
  readonly background?: boolean | undefined;
  /** Survives leaving the page. */
  readonly keepalive?: boolean | undefined;
}

export interface ServerTexts {
  readonly refusal: (code: string, message: string) => string;
  readonly field: (message: string) => string;
}

interface ClientOptions<Called extends CalledRoute<Route>> {
  readonly session: Pick<SessionStore, 'getSession' | 'endSession' | 'noteServerDate' | 'noteSessionUse'>;
  readonly ask: (url: string, request: RequestInit) => Promise<Response>;
  readonly takesElevation: (route: Called) => boolean;
  readonly now: () => number;
  /** In milliseconds. Undefined: none. */
  readonly waitMs: (route: Called) => number | undefined;
  readonly isOnline: () => boolean;
  /** Tells pages the server's build. */
  readonly noteHeaders: (headers: Headers) => void;
  readonly texts: { readonly somethingWentWrong: string; readonly noResponse: string; readonly tooSlow: string };
  /** Absent: messages are shown as sent. */
  readonly serverTexts?: ServerTexts;
}

interface WireInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

const UNCONFIRMED: ReadonlySet<string> = new Set<ErrorCode>(['CONFIRM_PASSWORD', 'CONFIRM_FACTOR']);

/** True if the user canceled the prompt for password or code, so nothing changed. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && UNCONFIRMED.has(error.code);
}

export function challengeIn(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === ('SECOND_FACTOR' satisfies ErrorCode)
    ? error.challenge
    : undefined;
}

/** Lets the page show the call's id beside the sentence. */
export function failureMessage(error: unknown, sentence: string): string {
  recordRequestId(sentence, error instanceof ApiError && error.code !== MISTYPED ? error.requestId : undefined);
  return sentence;
}

/** Calls throw {@link ApiError}. If the server ended the session, the client ends it too. */
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
    const elevation = options.takesElevation(route) ? elevationOf(token, options.now()) : undefined;
    const waitMs = options.waitMs(route);
    const timeout = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs);
    const request: RequestInit = {
      ...requestOf(route, body, how, { token, elevation }),
      signal: AbortSignal.any([signal, timeout].filter((one) => one !== undefined)),
    };
    const sent = options.isOnline();
    let response: Response;
    try {
      response = await askCells(options.ask, urlOf(route.path, params, query), request);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      reportNoAnswer();
      throw new ApiError('NO_RESPONSE', timeout?.aborted ? texts.tooSlow : texts.noResponse, { sent });
    }
    noteAnswer(response);
    options.noteHeaders(response.headers);
    session.noteServerDate(response.headers.get('Date'));
    if (token && response.ok && !background) session.noteSessionUse(token);
    return response;
  }

  function refusal(answer: unknown, response: Response, token: string | undefined, fallback?: string): ApiError {
    const error = errorOf(answer, response, fallback ?? texts.somethingWentWrong, options.serverTexts);
    // Superadmins get this code for any network.
    if (error.code === 'NETWORK_RESTORING' && session.getSession()?.user?.role !== 'superadmin')
      networkRestoring.set(true);
    const end = sessionEndOf(error.code);
    if (token && response.status === 401 && end) session.endSession(end, token);
    return error;
  }

  /** If needed, asks for the password and repeats the call. */
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

  /** Resolves while the file is still arriving. */
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
    confirmBy: (ask: () => Promise<boolean>): void => {
      askForPassword = ask;
    },
    errorMessage: (error: unknown, otherwise: string = texts.somethingWentWrong): string =>
      failureMessage(error, error instanceof ApiError ? error.message : otherwise),
  };
}

/** Repeats a call at the cell that a refusal names, once per cell. */
async function askCells(ask: ClientOptions<never>['ask'], url: string, request: RequestInit): Promise<Response> {
  const asked = new Set<string>();
  let response = await ask(url, request);
  for (;;) {
    const cell = response.headers.get(CELL_HEADER);
    if (response.status !== WRONG_CELL || cell === null || asked.has(cell)) return response;
    asked.add(cell);
    const headers = new Headers(request.headers);
    headers.set(CELL_HEADER, cell);
    response = await ask(url, { ...request, headers });
  }
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
  // For forms with files, the browser sets the content type.
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

function errorOf(answer: unknown, { status, headers }: Response, fallback: string, translate?: ServerTexts): ApiError {
  const body = isRecord(answer) ? answer : {};
  const code = typeof body['code'] === 'string' ? body['code'] : body === answer ? 'UNKNOWN' : 'UNREADABLE';
  const said = typeof body['message'] === 'string' && body['message'] !== '' ? body['message'] : undefined;
  const message = said === undefined ? fallback : (translate?.refusal(code, said) ?? said);
  const fields = isRecord(body['fields']) ? body['fields'] : {};
  const retryAfterS = Number(headers.get('Retry-After') ?? NaN);
  return new ApiError(code, message, {
    status,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, translate?.field(String(text)) ?? String(text)]),
    ),
    retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : null,
    requestId: headers.get(REQUEST_ID_HEADER) ?? undefined,
    challenge: typeof body['challenge'] === 'string' ? body['challenge'] : undefined,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Maximum number of sentences. Clears all beyond that. */
const MOST = 50;

const ids = new Map<unknown, string | undefined>();

/** Without an id, the call is unknown. */
export function recordRequestId(sentence: string, requestId: string | undefined): void {
  if (ids.size >= MOST) ids.clear();
  ids.set(sentence, requestId);
}

export function requestIdOf(sentence: unknown): string | undefined {
  return ids.get(sentence);
}

/** Only in memory: lost on reload, absent from other tabs. Times in milliseconds. */
let cached: { readonly token: string; readonly secret: string; readonly since: number; used: number } | undefined;

export function keepElevation(token: string, secret: string | undefined, now: number): void {
  cached = secret === undefined ? undefined : { token, secret, since: now, used: now };
}

/** Counts as a use. */
export function elevationOf(token: string | undefined, now: number): string | undefined {
  if (cached?.token !== token || !cached) return undefined;
  cached.used = now;
  return cached.secret;
}

/** False if absent, or too old for all but results. The server decides. */
export function holdsElevation(token: string | undefined, isForResult: boolean, now: number): boolean {
  if (cached?.token !== token || !cached) return false;
  const { idle, most } = ELEVATION_MINUTES;
  return isForResult || (now - cached.used < idle * 60_000 && now - cached.since < most * 60_000);
}
