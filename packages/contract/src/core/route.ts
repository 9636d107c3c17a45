import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { isForKeys, type ApprovalKind, type Permission } from './permissions.ts';
import type { Role } from './primitives.ts';

/** Marks a replayed answer: the request repeats an earlier `Idempotency-Key` and changed nothing. */
export const REPEATED_HEADER = 'Idempotent-Replayed';

export const BODY_LIMIT_BYTES: number = 16 * 1024;

/** Pages from another build are outdated. */
export const BUILD_HEADER = 'Web-Build';

export const PLAYERS_BUILD_HEADER = 'Players-Build';

/** Marks automatic refreshes, which don't extend the session. Ignored on calls that change state. */
export const BACKGROUND_HEADER = 'Background-Request';

/** Request id of a failed answer, as in its body; find it in the server log. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Coarse access: queries decide about rows. */
export type Access = 'public' | 'session' | readonly Role[];

/** Names the cell that should answer. A refusal with OTHER_CELL names it for the repeated call. */
export const CELL_HEADER = 'X-Cell';

/** Carries the secret that `auth/login` and `auth/confirm` return for a password. */
export const ELEVATION_HEADER = 'Elevation';

/** Programs send the account's password here instead of an elevation. */
export const PASSWORD_HEADER = 'Confirm-Password';

/** Minutes since last use, and in total. At level `result`: the whole session. */
export const ELEVATION_MINUTES = { idle: 10, most: 60 } as const;

/** Minutes after sign-in for level `recent` without an elevation. */
export const RECENT_MINUTES = 10;

/**
 * Listed from least to most strict. Each accepts an elevation; with a second factor, the login opens it by that factor. Without
 * a factor, a password header suffices. Sessions without elevation (clients that know only the specification) may also
 * call by token alone:
 * - `result`, `spec`: for the whole session. At `result`, elevations last as long, so draws never wait for a password.
 * - `recent`: within {@link RECENT_MINUTES} of sign-in.
 * - `elevation`: never.
 */
export const SENSITIVE_LEVELS = ['result', 'spec', 'recent', 'elevation'] as const;
export type SensitiveLevel = (typeof SENSITIVE_LEVELS)[number];

/**
 * Calls that give credit, lead to it, or change its protection. `asks`: the body contains the caller's password. Fields
 * may be stricter than the call; the strictest field sent counts.
 */
export type Sensitive<Field extends string = string> =
  | false
  | 'asks'
  | SensitiveLevel
  | { readonly level: SensitiveLevel; readonly fields: Readonly<Partial<Record<Field, SensitiveLevel>>> };

type Schema = z.ZodMiniType;
type Shape = Readonly<Record<string, Schema>>;

/** `a/:id/b/:childId` → `id | childId`. */
export type Placeholders<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Placeholders<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Server, clients and OpenAPI derive from it. */
export interface Route<
  Path extends string = string,
  Params extends Shape = Shape,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  readonly method: Method;
  /** Below `/api/`, with placeholders as `:name`. */
  readonly path: Path;
  readonly summary: string;
  readonly access: Access;
  /** Right that a staff login needs; null: none. Routes of players and strangers name none. */
  readonly permission?: Permission | null;
  /** Actions that may need a second person. */
  readonly approval?: readonly ApprovalKind[];
  readonly apiKeys?: boolean;
  /** Its ids do not tell the cell: a cell without the object names the next one. */
  readonly inAnyCell?: boolean;
  /** Changes what all cells share: refused in all but the first. */
  readonly inFirstCell?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  /** Fields refused rather than ignored, with messages, because callers would believe them effective. */
  readonly refuses?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Field compared only with known names: impossible values (such as NUL) answer NOT_FOUND, not INVALID_INPUT. */
  readonly matches?: string;
  readonly status?: 200 | 201;
  readonly response: Response;
  /** Errors beyond those of `generalErrorsOf`. Tests fail on unlisted errors. */
  readonly errors?: readonly ErrorCode[];
  /** Such a GET requires the token header, not just the cookie. */
  readonly changesState?: boolean;
  /** Required on commands and reads of secrets. Without an elevation: CONFIRM_PASSWORD. */
  readonly sensitive?: Sensitive;
  /** In bytes. Default {@link BODY_LIMIT_BYTES}. */
  readonly bodyLimit?: number;
  /** Keeps the idle connection open while the answer takes minutes. */
  readonly takesMinutes?: boolean;
  /** Media type of a file answer. The handler names the file. */
  readonly file?: string;
  /** Media type of an immutable answer, which browsers cache. */
  readonly asset?: string;
  /** Sent as `multipart/form-data`. */
  readonly files?: RouteFiles;
}

export interface RouteFiles {
  /** Maximum count per name. Several parts share or number it: `images.0`. */
  readonly names: Readonly<Record<string, number>>;
  readonly maxBytes: number;
}

type Marked<Body> =
  | { readonly method: 'GET'; readonly changesState?: false; readonly sensitive?: SensitiveLevel }
  | { readonly method: 'GET'; readonly changesState: true; readonly sensitive: Sensitive<FieldOf<Body>> }
  | { readonly method: Exclude<Method, 'GET'>; readonly sensitive: Sensitive<FieldOf<Body>> };
type FieldOf<Body> = keyof z.input<Body> & string;

/** The compiler matches `params` with the placeholders and demands `sensitive` on commands. */
export function route<
  const Path extends string,
  Response extends Schema,
  Params extends Readonly<Record<Placeholders<Path>, Schema>> = Readonly<Record<Placeholders<Path>, Schema>>,
  Query extends Schema = z.ZodMiniUndefined,
  Body extends Schema = z.ZodMiniUndefined,
>(
  definition: Route<Path, Params, Query, Body, Response> &
    ([Placeholders<Path>] extends [never] ? unknown : { params: Params }) &
    Marked<NoInfer<Body>>,
): Route<Path, Params, Query, Body, Response> {
  return definition;
}

export type RouteInput<R> =
  R extends Route<infer Path, infer Params, infer Query, infer Body, Schema>
    ? ([Placeholders<Path>] extends [never] ? unknown : { params: { [K in keyof Params]: z.input<Params[K]> } }) &
        (Query extends z.ZodMiniUndefined ? unknown : { query?: z.input<Query> }) &
        (Body extends z.ZodMiniUndefined ? unknown : { body: z.input<Body> })
    : never;

export type RouteParsed<R> =
  R extends Route<string, infer Params, infer Query, infer Body, Schema>
    ? { params: { [K in keyof Params]: z.output<Params[K]> }; query: z.output<Query>; body: z.output<Body> }
    : never;

export type RouteAnswer<R> = R extends { response: infer S extends Schema } ? z.output<S> : never;

/** The server adds `success: true`. */
export type RouteResult<R> = Omit<RouteAnswer<R>, 'success'>;

const OF_ALL: readonly ErrorCode[] = ['INVALID_INPUT', 'THROTTLED', 'NOT_READY', 'INTERNAL'];
const OF_CHANGES: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
const OF_NETWORK_CHANGES: readonly ErrorCode[] = ['NETWORK_RESTORING'];
const OF_BODIES: readonly ErrorCode[] = ['INVALID_JSON', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const OF_SESSIONS: readonly ErrorCode[] = [
  'NOT_SIGNED_IN',
  'SESSION_ENDED',
  'SESSION_REPLACED',
  'NOT_ALLOWED',
  'NO_PERMISSION',
  'CHANGE_PASSWORD',
  'ADD_FACTOR',
  'OTHER_CELL',
];

const OF_ANY_CELL: readonly ErrorCode[] = ['OTHER_CELL'];
const OF_API_KEYS: readonly ErrorCode[] = ['API_KEY_ENDED'];
/** Sensitive calls: missing elevation, or wrong password in the header. */
const OF_SENSITIVE: readonly ErrorCode[] = ['CONFIRM_PASSWORD', 'WRONG_PASSWORD'];
/** Sensitive calls of logins with a second factor. */
const OF_FACTORS: readonly ErrorCode[] = ['CONFIRM_FACTOR'];

const OF_MOVED_CREDIT: readonly ErrorCode[] = ['DAILY_LIMIT'];
/** RULE_REFUSED: no account could approve. ALREADY_DECIDED: it repeats an approved request. */
const OF_APPROVALS: readonly ErrorCode[] = ['APPROVAL_PENDING', 'ALREADY_DECIDED', 'RULE_REFUSED'];

/** Errors implied by a route's properties. Routes do not list these. */
export function generalErrorsOf(spec: Route): readonly ErrorCode[] {
  const changes = spec.method !== 'GET' || spec.changesState === true;
  return [
    ...OF_ALL,
    ...(changes ? OF_CHANGES : []),
    ...(changes && spec.access !== 'public' ? OF_NETWORK_CHANGES : []),
    ...(spec.method === 'GET' ? [] : OF_BODIES),
    ...(spec.access === 'public' ? [] : OF_SESSIONS),
    ...(spec.apiKeys === true || isForKeys(spec) ? OF_API_KEYS : []),
    ...(spec.inAnyCell === true ? OF_ANY_CELL : []),
    ...(spec.approval ? OF_APPROVALS : []),
    ...(spec.approval?.includes('credit') && isForKeys(spec) ? OF_MOVED_CREDIT : []),
    ...(needsElevation(spec) ? OF_SENSITIVE : []),
    ...(takesElevation(spec) ? OF_FACTORS : []),
  ];
}

export function needsElevation({ sensitive }: Pick<Route, 'sensitive'>): boolean {
  return sensitive !== undefined && sensitive !== false && sensitive !== 'asks';
}

/** With a second factor, calls whose body has the password need an elevation too. */
export function takesElevation(spec: Pick<Route, 'sensitive'>): boolean {
  return needsElevation(spec) || spec.sensitive === 'asks';
}

export function errorsOf(spec: Route): readonly ErrorCode[] {
  return [...(spec.errors ?? []), ...generalErrorsOf(spec)];
}
