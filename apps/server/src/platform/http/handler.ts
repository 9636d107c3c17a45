import type { Change } from '@drawhouse/contract/activity/activity';
import { type ApprovalKind, type Permission } from '@drawhouse/contract/core/permissions';
import type { FileFormat, List } from '@drawhouse/contract/core/list';
import type { ErrorCode } from '@drawhouse/contract/core/errors';
import type { Route, RouteResult, RouteParsed } from '@drawhouse/contract/core/route';
import type { Tx } from '../db/database.ts';
import type { TakeFile } from './request/multipart-body.ts';
import type { ReadPlain } from './request/validate.ts';
import type { WalletKind } from '@drawhouse/rules/records/ledger-kinds';
import type { Role } from '@drawhouse/contract/core/primitives';

export interface Origin {
  readonly url: string;
  readonly method: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** Without a request. Shell commands set `url` to their name. */
export const NOWHERE: Origin = { url: '', method: '', ip: '', userAgent: '' };

export interface Caller {
  readonly id?: string | undefined;
  readonly role: Role;
  /** All for players and the owner of an account. */
  readonly permissions: readonly Permission[];
  /** Each list must allow a call's address: the login's and its network's. An empty one allows all. */
  readonly places?: readonly (readonly string[])[];
}

export interface RefusedCall<C extends Caller = Caller> {
  readonly actor: C;
  readonly code: ErrorCode;
  readonly origin: Pick<Origin, 'url' | 'method' | 'ip'>;
  readonly names: readonly string[];
}

export interface CallerSession<C extends Caller = Caller> {
  readonly id: string;
  readonly actor: C;
}

export interface ApiKeyCaller {
  readonly accountId: string;
  readonly networkId: number;
  readonly number: number;
}

/** An act that may need a second person. */
export interface GuardedAct {
  readonly kind: ApprovalKind;
  /** The root's if the action concerns several networks. */
  readonly networkId: number;
  /** Networks whose rules apply. Default: the network of the action. */
  readonly ruledBy?: readonly number[] | undefined;
  readonly amount?: bigint | undefined;
  /** Those of one account to one wallet within a day count together. */
  readonly moves?: readonly GuardedMove[] | undefined;
  /** Refusal of an action that cannot wait, such as one whose call contains a password. */
  readonly apart?: { readonly field: string; readonly message: string } | undefined;
  /** Body fields that fix what the action concerns, if the caller left them out: it may run later. */
  readonly pins?: Readonly<Record<string, unknown>> | undefined;
  /** Default: subject of the first log row. */
  readonly subject?: string | undefined;
}

export interface GuardedMove {
  readonly networkId: number;
  /** Kind and owner of the wallet that is not the actor's. */
  readonly wallet: `${WalletKind}:${string}`;
  readonly transferId: string;
}

export interface DoneAct extends GuardedAct {
  readonly subject: string;
  readonly changes: readonly Change[];
  readonly detail: Record<string, unknown> | undefined;
}

export interface Guard {
  /** Id of the approved request that the call runs, so it asks for no password. */
  readonly approval: string | undefined;
  /** Hash in hex of the request with an Idempotency-Key, as first sent. The approved one has fields pinned. */
  requestHash?: string | undefined;
  /** Runs in the command's transaction, before logging. Throws to undo it. Returns additions to the log. */
  judge(this: void, tx: Tx, acts: readonly DoneAct[]): Promise<Pick<DoneAct, 'detail' | 'changes'>>;
  begin(this: void, tx: Tx): Promise<void>;
  /** Call in the transaction that completes the work. Throws ALREADY_DECIDED if it has lost its approval. */
  finish(this: void, tx: Tx): Promise<void>;
}

export interface Call<C extends Caller = Caller> {
  readonly actor: C;
  readonly sessionId: string;
  readonly apiKey: ApiKeyCaller | undefined;
  guard?: Guard | undefined;
  readonly charge: (this: void, calls: number) => void;
  readonly origin: Origin;
  readonly header: (this: void, name: string) => string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly markRepeated: (this: void) => void;
  /** Aborts when the client disconnects before its answer. */
  readonly aborted: AbortSignal;
  readonly token: string | undefined;
  readonly device: string | undefined;
  readonly setDeviceCookie: (this: void, secret: string, forMs: number) => void;
  readonly setSessionCookie: (this: void, token: string | null) => void;
}

export interface FileAnswer {
  readonly fileName: string;
  readonly rows: number | null;
  readonly about?: string;
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface BoundRoute<C extends Caller = Caller> {
  readonly route: Route;
  readonly handler: (input: never, call: Call<C>) => Promise<object>;
  readonly returning?: ReturningCallers | undefined;
  /** The handler checks the session again in its transaction, so a cached session suffices. */
  readonly judgesSession?: boolean | undefined;
  readonly takeFile?: TakeFile;
  readonly readPlain?: ReadPlain | undefined;
  readonly write?: ((answer: unknown) => string) | undefined;
  readonly listed?: ListedRoute<C> | undefined;
}

export interface ListedRoute<C extends Caller> {
  readonly list: List;
  /** Of its page. */
  readonly handler: (input: never, call: Call<C>) => Promise<object>;
  /** Histories lack it. */
  readonly describe?: ((input: never, call: Call<C>) => Promise<FileDescription>) | undefined;
  readonly format?: FileFormat;
}

export interface FileDescription {
  /** Without ending. */
  readonly fileName: string | undefined;
  readonly of: Readonly<Record<string, string>> | undefined;
  /** ISO 8601. Set for reports that may come from a standby. */
  readonly asOf: string | undefined;
}

export interface AssetAnswer {
  readonly content: Buffer;
}

/** Served on public routes even if their address is rate-limited. */
export interface ReturningCallers<I = never> {
  expects(address: string): Promise<boolean>;
  take(input: I, address: string): Promise<boolean>;
}

export function handle<C extends Caller, R extends object>(
  route: R,
  handler: (input: RouteParsed<R>, call: Call<C>) => Promise<RouteResult<R>>,
  returning?: ReturningCallers<RouteParsed<R>>,
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, returning };
}

/** Sets `judgesSession`. `readPlain` and `write`: see {@link BoundRoute}. */
export function handleWithSessionCheck<C extends Caller, R extends object>(
  route: R,
  handler: (input: RouteParsed<R>, call: Call<C>) => Promise<RouteResult<R>>,
  { readPlain, write }: Pick<BoundRoute, 'readPlain' | 'write'> = {},
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, judgesSession: true, readPlain, write };
}

/** `take` processes each file in turn; the handler gets results by file name. */
export function handleFiles<C extends Caller, R extends object, File>(
  route: R,
  take: (content: Buffer, isCanceled: () => boolean) => Promise<File>,
  handler: (input: RouteParsed<R> & { files: ReadonlyMap<string, File> }, call: Call<C>) => Promise<RouteResult<R>>,
): BoundRoute<C> {
  return { route: route as unknown as Route, handler, takeFile: take };
}
