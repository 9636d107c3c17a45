import { parseExactly } from '@drawhouse/contract/frame/hundredths';
import {
  BACKGROUND_HEADER,
  BUILD_HEADER,
  ELEVATION_HEADER,
  REPEATED_HEADER,
  REQUEST_ID_HEADER,
} from '@drawhouse/contract/frame/route';
import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { needsElevation } from '@drawhouse/contract/frame/route-errors';
import { firstTexts } from '../firstTexts.ts';
import { elevationOf } from '@drawhouse/session/page-elevation';
import { noteRestoring } from '@drawhouse/session/network-restoring';
import { noteAnswer, noteUnanswered } from '@drawhouse/session/server-reach';
import { noteBuild } from './release.ts';
import { endSession, getSession, noteServerDate, noteSessionUse } from './session.ts';
import { noteSaid } from '@drawhouse/session/said-failures';
import { sessionEndOf } from '@drawhouse/session/session-end';

/** What is read is given up after so long: reports of all there is take some seconds. */
const READ_WITHIN_MS = 60_000;

/** Why a call failed: the server's code and message, the wrong fields by name, the HTTP status (0 without an answer), and the id by which its log has the call. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Whether the request may have reached the server. */
  readonly sent: boolean;
  readonly requestId: string | undefined;

  constructor(
    code: string,
    message: string,
    status: number,
    fields?: Readonly<Record<string, string>>,
    sent: boolean = true,
    requestId?: string,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.sent = sent;
    this.requestId = requestId;
    noteSaid(message, requestId);
  }
}

/** What a single call may be given beside its input. */
export interface CallOptions {
  /** Makes a repeated call answer the first result again instead of acting twice. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** What is said where the call is refused without a message. */
  fallback?: string;
  /** Hears that the answer was given before to an earlier request with the same key, and that nothing was done now. */
  onRepeated?: () => void;
  /** The page asks by itself, not its reader: it keeps no session alive. */
  background?: boolean;
}

interface WireInput {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** Asks for the password, once somebody is signed in: whether it was given, and the page has an elevation by it. */
let askToConfirm = async (): Promise<boolean> => false;

/** Says how the password is asked for where a sensitive call needs it. */
export function confirmBy(ask: () => Promise<boolean>): void {
  askToConfirm = ask;
}

/**
 * Calls one route of the contract and answers what it answers; throws {@link ApiError} for anything else. A sensitive call carries the elevation
 * of the page. Without one the page asks for the password, and sends the call again as it was, with the same `Idempotency-Key`.
 */
export async function call<R extends Route>(
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<RouteAnswer<R>> {
  const token = getSession()?.token;
  const response = await send(route, input, options, token);
  const answer = await jsonOf(response);
  if (response.ok && isRecord(answer) && answer['success'] !== false) {
    if (response.headers.has(REPEATED_HEADER)) options.onRepeated?.();
    return answer as RouteAnswer<R>;
  }
  const error = refusal(answer, response, token, options.fallback);
  if (!isUnconfirmed(error) || !(await askToConfirm())) throw error;
  return call(route, input, options);
}

/** Whether a call was refused because its password was asked for and not given: whoever cancels knows that nothing was done. */
export function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === ('CONFIRM_PASSWORD' satisfies ErrorCode);
}

/** Calls a route that answers a file, and gives the answer while it still comes in; throws {@link ApiError} when refused. */
export async function callFile<R extends Route>(
  route: R,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<Response> {
  const token = getSession()?.token;
  const response = await send(route, input, options, token);
  if (response.ok) return response;
  throw refusal(await jsonOf(response), response, token, options.fallback);
}

async function send(route: Route, input: unknown, options: CallOptions, token: string | undefined): Promise<Response> {
  const { params, query, body } = input as WireInput;
  const headers = new Headers({ Accept: route.file ?? 'application/json' });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const elevation = needsElevation(route) ? elevationOf(token) : undefined;
  if (elevation !== undefined) headers.set(ELEVATION_HEADER, elevation);
  // The browser itself says what a form with files is.
  const text = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
  if (typeof text === 'string') headers.set('Content-Type', 'application/json');
  if (options.background) headers.set(BACKGROUND_HEADER, '1');
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);

  const { method } = route;
  const request: RequestInit = { method, headers, credentials: 'same-origin' };
  if (text !== undefined) request.body = text;
  const response = await answerOf(urlOf(route.path, params, query), request, options.signal, patienceOf(route));
  noteAnswer(response);
  noteBuild(response.headers.get(BUILD_HEADER));
  noteServerDate(response.headers.get('Date'));
  if (token && response.ok && !options.background) noteSessionUse(token);
  return response;
}

/** What a refused call throws; where the server has ended the session, it ends here too. */
function refusal(
  answer: unknown,
  { status, headers }: Response,
  token: string | undefined,
  fallback: string | undefined,
): ApiError {
  const error = errorOf(answer, status, headers.get(REQUEST_ID_HEADER) ?? undefined, fallback);
  // A superadmin hears it of any network.
  if (error.code === 'NETWORK_RESTORING' && getSession()?.user?.role !== 'superadmin') noteRestoring(true);
  const end = sessionEndOf(error.code);
  if (token && status === 401 && end) endSession(end, token);
  return error;
}

/**
 * The sentence to show for anything that was thrown: that of a call, else `otherwise`. That there is no connection is said above every
 * page (`app/PageBanner`).
 */
export function errorMessage(error: unknown, otherwise: string = firstTexts.errors.somethingWentWrong): string {
  return sayOf(error, error instanceof ApiError ? error.message : otherwise);
}

/** Gives a sentence that is said of what was thrown, whatever the server says: what shows it shows the call beneath (`RequestId`). */
export function sayOf(error: unknown, sentence: string): string {
  noteSaid(sentence, error instanceof ApiError ? error.requestId : undefined);
  return sentence;
}

/** What is only read is given up after a while, but for files and what takes minutes: a connection that is dead and doesn't say so would hold up all reading of the same. */
function patienceOf({ method, file, takesMinutes = false }: Route): AbortSignal[] {
  return method === 'GET' && file === undefined && !takesMinutes ? [AbortSignal.timeout(READ_WITHIN_MS)] : [];
}

async function answerOf(
  url: string,
  request: RequestInit,
  signal: AbortSignal | undefined,
  patience: readonly AbortSignal[],
): Promise<Response> {
  // Without a network the browser sends nothing at all.
  const sent = navigator.onLine;
  try {
    return await fetch(url, { ...request, signal: AbortSignal.any([...(signal ? [signal] : []), ...patience]) });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    noteUnanswered();
    throw new ApiError('NO_RESPONSE', firstTexts.errors.noResponse, 0, undefined, sent);
  }
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
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `/api/${filled}${text ? `?${text}` : ''}`;
}

function errorOf(
  answer: unknown,
  status: number,
  requestId: string | undefined,
  fallback: string = firstTexts.errors.somethingWentWrong,
): ApiError {
  const body = isRecord(answer) ? answer : {};
  const code = typeof body['code'] === 'string' ? body['code'] : 'UNKNOWN';
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  return new ApiError(code, message || fallback, status, fieldsOf(body['fields']), true, requestId);
}

function fieldsOf(fields: unknown): Record<string, string> | undefined {
  if (!isRecord(fields)) return undefined;
  return Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, String(message)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
