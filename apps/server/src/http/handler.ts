import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import type { Route, RouteResult, RouteParsed } from '@drawhouse/contract/frame/route';
import type { TakeFile } from './multipart-body.ts';
import type { ReadPlain } from './validate.ts';
import type { Role } from '@drawhouse/contract/frame/primitives';

/** Where a request came from, for the log; `url` is its path. */
export interface Origin {
  readonly url: string;
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** The origin of what no request has asked for; a command of the shell puts its name as the `url`. */
export const NOWHERE: Origin = { url: '', method: '', ip: '', userAgent: '' };

/** Who calls. Features know more of it than HTTP does; here only the role matters, and the id for the log. */
export interface Caller {
  readonly id?: string | undefined;
  readonly role: Role;
}

/** A call, or what came by a live socket, of a session that was refused. */
export interface RefusedCall<C extends Caller = Caller> {
  readonly actor: C;
  readonly code: ErrorCode;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
  /** What it may have called things by: ids, keys, numbers. */
  readonly names: readonly string[];
}

/** A session of a caller. */
export interface CallerSession<C extends Caller = Caller> {
  readonly id: string;
  readonly actor: C;
}

/** A program that calls with an API key: whose network it is of, and the number of the key there. */
export interface ApiKeyCaller {
  readonly adminId: string;
  readonly networkId: number;
  readonly number: number;
}

/** What a handler knows of its request beside the validated input. */
export interface Call<C extends Caller = Caller> {
  /** The signed-in account. On public routes reading it throws. */
  readonly actor: C;
  /** The id of the session, for what judges it in its own transaction. On public routes reading it throws. */
  readonly sessionId: string;
  /** The program that calls in place of a session, where the route lets one; else undefined. */
  readonly apiKey: ApiKeyCaller | undefined;
  /** Takes so much more from the budget of whoever calls, for what costs as much as many calls. Throws THROTTLED. */
  readonly charge: (this: void, calls: number) => void;
  readonly origin: Origin;
  /** A header of the request; undefined where it is missing. */
  readonly header: (this: void, name: string) => string | undefined;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined;
  /** Says in the answer that an earlier request with the same key was answered again and nothing was done. */
  readonly markRepeated: (this: void) => void;
  /** Aborted when the client goes away before its answer: what is read for it alone need not go on. */
  readonly gone: AbortSignal;
  /** The session token of the request, to end that session. */
  readonly token: string | undefined;
  /** The secret by which accounts know the browser, from its cookie. */
  readonly device: string | undefined;
  /** Has a browser keep its secret for so many milliseconds. */
  readonly setDeviceCookie: (this: void, secret: string, forMs: number) => void;
  /** Sets the session cookie, or clears it with null. */
  readonly setSessionCookie: (this: void, token: string | null) => void;
}

/** What the handler of a file route gives. */
export interface FileAnswer {
  readonly fileName: string;
  /** How many rows it will have, for the client's progress; null where nobody knows yet. */
  readonly rows: number | null;
  /** What it says of itself, as a header has it; nothing where it is left out. */
  readonly about?: string;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** A route with its handler. */
export interface BoundRoute<C extends Caller = Caller> {
  readonly route: Route;
  readonly handler: (input: never, call: Call<C>) => Promise<object>;
  readonly returning?: ReturningCallers | undefined;
  /** Whether the handler judges the session again in its transaction: then it may be one that is remembered, although something changes. */
  readonly judgesSession?: boolean | undefined;
  /** Of a route with files. */
  readonly takeFile?: TakeFile;
  /** Of a route whose schema takes long. */
  readonly readPlain?: ReadPlain | undefined;
  /** The same of its answer: writes it as JSON, all that is in it. */
  readonly write?: ((answer: unknown) => string) | undefined;
}

/** What the handler of an asset route gives. */
export interface AssetAnswer {
  readonly content: Buffer;
}

/** Who is heard at a public route also when strangers have used up what an address may call. */
export interface ReturningCallers<I = never> {
  /** Whether there are any at this address: else nothing of the request is read. */
  expects(address: string): Promise<boolean>;
  /** Takes this input as that of one of them; false where it is not. */
  take(input: I, address: string): Promise<boolean>;
}

/** Binds contract routes to handlers, typed by the contract on both sides. `C` is what the features know of a caller. */
export function handle<C extends Caller, R extends object>(
  route: R,
  handler: (input: RouteParsed<R>, call: Call<C>) => Promise<RouteResult<R>>,
  returning?: ReturningCallers<RouteParsed<R>>,
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, returning };
}

/** The same where what is done is judged again by the session, in the transaction that does it; `readPlain` and `write` as of {@link BoundRoute}. */
export function handleJudging<C extends Caller, R extends object>(
  route: R,
  handler: (input: RouteParsed<R>, call: Call<C>) => Promise<RouteResult<R>>,
  { readPlain, write }: Pick<BoundRoute, 'readPlain' | 'write'> = {},
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, judgesSession: true, readPlain, write };
}

/** The same for a route with files: `take` makes something of each, one after the other, and the handler is given that by their names. */
export function handleFiles<C extends Caller, R extends object, File>(
  route: R,
  take: (content: Buffer, isGone: () => boolean) => Promise<File>,
  handler: (input: RouteParsed<R> & { files: ReadonlyMap<string, File> }, call: Call<C>) => Promise<RouteResult<R>>,
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, takeFile: take };
}
