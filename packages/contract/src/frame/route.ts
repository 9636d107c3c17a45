import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Role } from './primitives.ts';

/** The header of an answer that was given before: the request repeats the `Idempotency-Key` of an earlier one, and did nothing. */
export const REPEATED_HEADER = 'Idempotent-Replayed';

/** The largest body of a route that asks for no other: 16 KiB, more than any form has. */
export const BODY_LIMIT_BYTES: number = 16 * 1024;

/** The header of every answer that names the build of the web app that the server has: a page of another one is out of date. */
export const BUILD_HEADER = 'Web-Build';

/** The same of the players' pages, which are built by themselves: each page compares with the header of its own entry. */
export const PLAYERS_BUILD_HEADER = 'Players-Build';

/**
 * The header of a request that a page makes by itself, to show what is now: what is asked so is no use of the session, which runs out as if
 * it had not been asked. Heeded where nothing is changed.
 */
export const BACKGROUND_HEADER = 'Background-Request';

/** The header of an answer that failed, which names the call as its body does: in the log of the server its line is found by that. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The methods that routes use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call a route at all: everybody, any signed-in account, or the roles listed. Which rows is decided in the query. */
export type Access = 'public' | 'session' | readonly Role[];

/** The header that carries the elevation of a page: the secret that `auth/login` and `auth/confirm` answer for a password. */
export const ELEVATION_HEADER = 'Elevation';

/** The header in which a program sends its account's password with a sensitive call, in place of an elevation. */
export const PASSWORD_HEADER = 'Confirm-Password';

/** How long an elevation lasts: from its last use, and at most. For calls of the level `result` it lasts as long as its session. */
export const ELEVATION_MINUTES = { idle: 10, most: 60 } as const;

/** So many minutes after the sign-in, a session without an elevation may make calls of the level `recent`. */
export const RECENT_MINUTES = 10;

/**
 * The levels of sensitive calls, the strictest last. Each needs an elevation, or the password in a header. They differ in what a session of
 * a client that knows only the specification may do by its token alone:
 * - `result`: the call, as long as the session lasts. An elevation is good for it as long, too, so that no draw waits for a password.
 * - `spec`: the call, as long as the session lasts.
 * - `recent`: the call, within {@link RECENT_MINUTES} of the sign-in.
 * - `elevation`: nothing.
 */
export const SENSITIVE_LEVELS = ['result', 'spec', 'recent', 'elevation'] as const;
/** A level of sensitive calls. */
export type SensitiveLevel = (typeof SENSITIVE_LEVELS)[number];

/**
 * How sensitive a call is. Sensitive is whatever gives credit, leads to credit, or changes what guards it. A call that moves credit by
 * itself `asks`: its body has the caller's own password. Where fields of the body are stricter than the call, the strictest that is sent counts.
 */
export type Sensitive<Field extends string = string> =
  | false
  | 'asks'
  | SensitiveLevel
  | { readonly level: SensitiveLevel; readonly fields: Readonly<Partial<Record<Field, SensitiveLevel>>> };

type Schema = z.ZodMiniType;
type Shape = Readonly<Record<string, Schema>>;

/** The names of the placeholders in a path: `a/:id/b/:childId` → `id | childId`. */
export type Placeholders<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Placeholders<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** One call of the API as data: the server registers it, the web calls it, OpenAPI describes it. */
export interface Route<
  Path extends string = string,
  Params extends Shape = Shape,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  readonly method: Method;
  /** Below `/api/`, without a leading slash; placeholders as `:name`. */
  readonly path: Path;
  /** One sentence for the API's description. */
  readonly summary: string;
  readonly access: Access;
  /** Whether a program may call it too, with an API key of a network in place of a session. */
  readonly apiKeys?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  /** Fields that its query has not and that are refused, others being passed over: what a caller would believe heeded. Each with what is said. */
  readonly refuses?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /**
   * A field of its query or body that is compared with names which are known and goes nowhere else: what no name can have in it, as a NUL, is
   * NOT_FOUND there like any other name that is not known, and not INVALID_INPUT.
   */
  readonly matches?: string;
  /** 200 unless the route creates something. */
  readonly status?: 200 | 201;
  readonly response: Response;
  /** What may go wrong beside the general errors (route-errors.ts). A route that answers another one fails its tests. */
  readonly errors?: readonly ErrorCode[];
  /** For the GETs that change state: they ask for the header token, never the cookie alone. */
  readonly changesState?: boolean;
  /** Set on every command, and on reads of secrets. Without an elevation the call is refused with CONFIRM_PASSWORD. */
  readonly sensitive?: Sensitive;
  /** The largest body in bytes; {@link BODY_LIMIT_BYTES} where it is left out. */
  readonly bodyLimit?: number;
  /** Its answer may be minutes away: its connection is kept until then, although nothing moves on it. */
  readonly takesMinutes?: boolean;
  /** For answers that are a file, not JSON: its media type. The name comes from the handler. */
  readonly file?: string;
  /** For answers that never change at their address, such as an image by its hash: the media type. Browsers keep them. */
  readonly asset?: string;
  /** Files that may come beside the fields of the body, which is then `multipart/form-data`. */
  readonly files?: RouteFiles;
}

/** Which files a route takes. */
export interface RouteFiles {
  /** How many of each name at most. Of more than one, the parts are all called so, or each by its place: `images.0`. */
  readonly names: Readonly<Record<string, number>>;
  /** The most bytes of one. */
  readonly maxBytes: number;
}

/** A command says how sensitive it is. A read does where its answer holds what guards credit. */
type Marked<Body> =
  | { readonly method: 'GET'; readonly changesState?: false; readonly sensitive?: SensitiveLevel }
  | { readonly method: 'GET'; readonly changesState: true; readonly sensitive: Sensitive<FieldOf<Body>> }
  | { readonly method: Exclude<Method, 'GET'>; readonly sensitive: Sensitive<FieldOf<Body>> };
type FieldOf<Body> = keyof z.input<Body> & string;

/**
 * Declares a route. The compiler checks that `params` describes exactly the placeholders of `path`, and that whatever changes something
 * says whether it is sensitive.
 */
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

/** What a caller of the route gives: the parts that the route has. */
export type RouteInput<R> =
  R extends Route<infer Path, infer Params, infer Query, infer Body, Schema>
    ? ([Placeholders<Path>] extends [never] ? unknown : { params: { [K in keyof Params]: z.input<Params[K]> } }) &
        (Query extends z.ZodMiniUndefined ? unknown : { query?: z.input<Query> }) &
        (Body extends z.ZodMiniUndefined ? unknown : { body: z.input<Body> })
    : never;

/** What a handler of the route is given: the parts after validation. */
export type RouteParsed<R> =
  R extends Route<string, infer Params, infer Query, infer Body, Schema>
    ? { params: { [K in keyof Params]: z.output<Params[K]> }; query: z.output<Query>; body: z.output<Body> }
    : never;

/** What the route answers. */
export type RouteAnswer<R> = R extends { response: infer S extends Schema } ? z.output<S> : never;

/** What a handler of the route gives: the answer without `success: true`, which the server adds. */
export type RouteResult<R> = Omit<RouteAnswer<R>, 'success'>;
