import { parseExactly } from '@drawhouse/contract/frame/hundredths';
import { noteSaid } from '@drawhouse/session/said-failures';
import { sessionEndOf } from '@drawhouse/session/session-end';
import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import { BACKGROUND_HEADER, ELEVATION_HEADER, PLAYERS_BUILD_HEADER } from '@drawhouse/contract/frame/route';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { noteBuild } from './newerBuild.ts';
import { playerTexts } from './playerTexts.ts';
import { endSession, getSession, noteServerDate, noteSessionUse } from './playerSession.ts';
import { elevationOf } from '@drawhouse/session/page-elevation';
import { noteRestoring } from '@drawhouse/session/network-restoring';
import { noteAnswer, noteUnanswered } from '@drawhouse/session/server-reach';

/** What was asked, and not answered for so long, is given up. */
const WAIT_MS = { read: 15_000, command: 30_000 } as const;

/**
 * One route of the contract as this client calls it. It carries the type of the contract's declaration and of that what a call needs alone,
 * so that no schema is fetched with the pages; `playerRoutes.test.ts` holds them against the contract.
 */
export interface CalledRoute<R extends Route> {
  readonly method: R['method'];
  readonly path: R['path'];
  /** It needs an elevation. */
  readonly isSensitive?: boolean;
  /** Only for the compiler: which route of the contract it is. */
  readonly of?: R;
}

/** Why a call failed: a code of the contract, or one of `NO_ANSWER` and `UNKNOWN`; what to say; the wrong fields by their names. */
export class CallFailure extends Error {
  readonly code: ErrorCode | 'NO_ANSWER' | 'UNKNOWN';
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the request may have reached the server: false only where it surely has not. */
  readonly mayBeDone: boolean;
  /** In how many seconds the server wants to be asked again; null where it does not say. */
  readonly retryAfterS: number | null;
  /** By what the server's log has the call. */
  readonly requestId: string | undefined;

  constructor(
    code: CallFailure['code'],
    message: string,
    about: Partial<Pick<CallFailure, 'status' | 'fields' | 'mayBeDone' | 'retryAfterS' | 'requestId'>> = {},
  ) {
    super(message);
    this.name = 'CallFailure';
    this.code = code;
    this.status = about.status ?? 0;
    this.fields = about.fields ?? {};
    this.mayBeDone = about.mayBeDone ?? false;
    this.retryAfterS = about.retryAfterS ?? null;
    this.requestId = about.requestId;
    noteSaid(message, about.requestId);
  }
}

/** What a call may be given beside its input. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** What is said where the call is refused without a sentence. */
  readonly fallback?: string;
  /** The page asks by itself, not its reader: it keeps no session alive. */
  readonly background?: boolean;
  /** Sent even while the page is left. */
  readonly keepalive?: boolean;
}

interface WireInput {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** Asks for the password: whether it was given, and the page has an elevation by it. */
let askForPassword = async (): Promise<boolean> => false;

/** Says how the password is asked for. */
export function confirmBy(ask: () => Promise<boolean>): void {
  askForPassword = ask;
}

/**
 * Calls a route of the contract and answers what it answers; throws {@link CallFailure} for anything else. A sensitive call without an elevation
 * asks for the password, and is sent again as it was. Where the server has ended the session, it ends here too.
 */
export async function call<R extends Route>(
  route: CalledRoute<R>,
  input: RouteInput<R>,
  options: CallOptions = {},
): Promise<RouteAnswer<R>> {
  const token = getSession()?.token;
  const response = await send(route, input, options, token);
  const answer = await jsonOf(response);
  if (response.ok && isRecord(answer) && answer['success'] !== false) {
    if (token && !options.background) noteSessionUse(token);
    return answer as RouteAnswer<R>;
  }
  const failure = failureOf(answer, response, options.fallback);
  if (failure.code === 'NETWORK_RESTORING') noteRestoring(true);
  if (failure.code === 'CONFIRM_PASSWORD' && (await askForPassword())) return call(route, input, options);
  const end = sessionEndOf(failure.code);
  if (token && response.status === 401 && end) endSession(end, token);
  throw failure;
}

/** Fetches a file by its path of the contract, below `/api/`; throws as {@link call} does. */
export async function callFile(path: string, query: WireInput['query']): Promise<Blob> {
  const token = getSession()?.token;
  const response = await send({ method: 'GET', path }, { query }, {}, token);
  if (response.ok) return response.blob();
  const failure = failureOf(await jsonOf(response), response);
  const end = sessionEndOf(failure.code);
  if (token && response.status === 401 && end) endSession(end, token);
  throw failure;
}

/** The sentence to show for anything that was thrown: that of a call, else `otherwise`. */
export function failureText(error: unknown, otherwise: string = playerTexts.somethingWentWrong): string {
  return sayOf(error, error instanceof CallFailure ? error.message : otherwise);
}

/** Gives a sentence that is said of what was thrown, whatever the server says: what shows it shows the call beneath (`RequestLine`). */
export function sayOf(error: unknown, sentence: string): string {
  noteSaid(sentence, (error as Partial<CallFailure> | null | undefined)?.requestId);
  return sentence;
}

async function send(
  route: CalledRoute<Route>,
  input: unknown,
  { signal, background, keepalive }: CallOptions,
  token: string | undefined,
): Promise<Response> {
  const { params, query, body } = input as WireInput;
  const headers = new Headers({ Accept: 'application/json' });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const elevation = route.isSensitive === true ? elevationOf(token) : undefined;
  if (elevation !== undefined) headers.set(ELEVATION_HEADER, elevation);
  if (background) headers.set(BACKGROUND_HEADER, '1');
  const patience = AbortSignal.timeout(route.method === 'GET' ? WAIT_MS.read : WAIT_MS.command);
  // Without a network the browser sends nothing at all.
  const mayBeDone = navigator.onLine;
  try {
    const response = await fetch(addressOf(route.path, params, query), {
      method: route.method,
      headers,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(keepalive && { keepalive }),
    });
    noteAnswer(response);
    noteBuild(response.headers.get(PLAYERS_BUILD_HEADER));
    noteServerDate(response.headers.get('Date'));
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteUnanswered();
    const message = patience.aborted ? playerTexts.tooSlow : playerTexts.noConnection;
    throw new CallFailure('NO_ANSWER', message, { mayBeDone });
  }
}

function addressOf(path: string, params: WireInput['params'], query: WireInput['query']): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return `/api/${filled}${text && `?${text}`}`;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return parseExactly(await response.text());
  } catch {
    return undefined;
  }
}

function failureOf(
  answer: unknown,
  response: Response,
  fallback: string = playerTexts.somethingWentWrong,
): CallFailure {
  const body = isRecord(answer) ? answer : {};
  const code = typeof body['code'] === 'string' ? (body['code'] as ErrorCode) : 'UNKNOWN';
  const message = typeof body['message'] === 'string' && body['message'] !== '' ? body['message'] : fallback;
  const fields = isRecord(body['fields']) ? body['fields'] : {};
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  return new CallFailure(code, message, {
    status: response.status,
    fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, String(text)])),
    // A proxy or a server that broke down may have passed it on; whatever the contract names says what was done.
    mayBeDone: code === 'UNKNOWN' || code === 'OUTCOME_UNKNOWN' || code === 'INTERNAL',
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
    requestId: typeof body['requestId'] === 'string' ? body['requestId'] : undefined,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
