import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { hundredthsOf, roleBelow } from '@drawhouse/contract/frame/primitives';
import type { BackupPlan } from '../src/backup-plan.ts';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Failure, Role } from '@drawhouse/contract/frame/primitives';
import { ELEVATION_HEADER, ELEVATION_MINUTES } from '@drawhouse/contract/frame/route';
import type { RouteAnswer, RouteInput } from '@drawhouse/contract/frame/route';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { pinnedTimeZone } from '../src/settings/pinned-settings.ts';
import { createApp } from '../src/app.ts';
import type { App } from '../src/app.ts';
import type { AppOptions } from '../src/app-options.ts';
import { audit } from '../src/audit/audit.ts';
import type { Clock } from '../src/clock.ts';
import { connect } from '../src/db/database.ts';
import type { ListenerTimes } from '../src/db/listener.ts';
import { LONG } from '../src/db/patience.ts';
import type { Database } from '../src/db/database.ts';
import type { Patience } from '../src/db/patience.ts';
import { httpLimits } from '../src/http/http-limits.ts';
import type { HttpLimits } from '../src/http/http-limits.ts';
import type { Rate } from '../src/http/rate-limit.ts';
import { isWhole } from './how-much.ts';
import { makeNetwork } from './make-network.ts';
import './quick-passwords.ts';
import { PASSWORD } from './test-password.ts';
import { TEST_SEAL_KEY } from './test-seal-key.ts';
import { BOOTSTRAPPED, createDatabase, TEST_EPOCH } from './test-databases.ts';
import type { TestDatabase } from './test-databases.ts';

/** As many calls at once as a whole test file makes: no budget fills again while the clock stands still. */
const MANY: Rate = { perSecond: 1_000, burst: 100_000 };
const TEST_LIMITS: HttpLimits = {
  ...httpLimits({}),
  session: MANY,
  stranger: MANY,
  lookUp: MANY,
  page: MANY,
  address: MANY,
  refusedAfterMs: 0,
};

/** Points that stay with the admin of a new network. */
export const RESERVE = 1_000_000;

/** So long a server trusts a line that says nothing: on a busy machine that may last. What passes a minute over is beyond it. */
const TRUSTING: ListenerTimes = { answerWithinMs: 20_000, currentForMs: 40_000 };

/** The elevations that test servers have given, with when each was renewed last. */
const RENEWED = new Map<string, number>();
const RENEW_EVERY_MS = (ELEVATION_MINUTES.idle * 60_000) / 2;

/** Time that moves only by hand. It begins at a full hour, so that draws of any interval have just opened. */
export class TestClock implements Clock {
  #nowMs = TEST_EPOCH.getTime();

  now(): Date {
    return new Date(this.#nowMs);
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** Moves to an instant that lies ahead. */
  set(to: Date): void {
    this.#nowMs = to.getTime();
  }
}

/** What a call gave: the status and the body, be it a success or a failure. */
export interface Reply<R> {
  status: number;
  body: Omit<RouteAnswer<R> & Omit<Failure, 'success'>, 'success'> & { success: boolean; code?: string };
  headers: Record<string, string | string[] | number | undefined>;
}

/** Who calls: the token and the elevation go into the headers; `cookie` sends the token as the session cookie instead. */
export interface As {
  token?: string;
  elevation?: string;
  cookie?: boolean;
  idempotencyKey?: string;
  ip?: string;
}

/** A signed-in account. */
export interface SignedIn {
  _id: string;
  username: string;
  role: Role;
  token: string;
  /** Renewed whenever the clock is moved, so that no test confirms a password that is not about that. */
  elevation: string;
}

/** One account of each role, in one chain, signed in. */
export type Network = Record<Role, SignedIn> & { readonly networkId: number };

/** What a test may say of a new account. */
export type NewAccount = Partial<{
  role: Role;
  username: string;
  commission: number;
  commissionCeiling: number;
  refId: string;
  games: string[];
  userStatus: boolean;
}>;

/** What a server left behind that was stopped for others to begin where it ended. */
export interface Played {
  readonly database: TestDatabase;
  /** The time there. */
  readonly at: Date;
  /** How many accounts it has given names to. */
  readonly names: number;
}

/** A server on an isolated database with time moved by hand. */
export class TestApp {
  readonly app: App;
  /** The test's own way into the database, as the owner of its tables: to look, and to break what the server may not. */
  readonly db: Database;
  /** The server's: the role that serves. */
  readonly served: Database;
  readonly clock: TestClock;
  /** The addresses of its database. */
  readonly database: TestDatabase;
  /** The errors that routes have answered and their contracts do not list. */
  readonly undeclared: Set<string>;
  /** Whether it shares the database of another one. */
  #isGuest = false;
  /** How it settles large draws, where the test says so; those beside it do likewise. */
  #pieceSizes: AppOptions['pieceSizes'];
  #names = 0;
  #isAuditDue = false;

  private constructor(parts: Pick<TestApp, 'app' | 'db' | 'served' | 'clock' | 'database' | 'undeclared'>) {
    this.app = parts.app;
    this.db = parts.db;
    this.served = parts.served;
    this.clock = parts.clock;
    this.database = parts.database;
    this.undeclared = parts.undeclared;
  }

  /** Makes the database, the server and the first superadmin. */
  static async start(
    options: {
      timeZone?: string;
      signupRetailer?: string;
      superadminByToken?: boolean;
      poolSize?: number;
      patience?: Patience;
      limits?: Partial<HttpLimits>;
      notices?: () => readonly FoundNotice[];
      watched?: AppOptions['watched'];
      logger?: Logger;
      backupKey?: string;
      backupQuota?: number;
      backupPlan?: BackupPlan;
      backupParts?: AppOptions['backupParts'];
      pieceSizes?: AppOptions['pieceSizes'];
      beacons?: AppOptions['beacons'];
      migrations?: string;
      /** The seals that it serves, made with its way into the database; none where it is left out. */
      seals?: (served: Database) => AppOptions['seals'];
      /** What its figures are made with; nothing is measured where it is left out. */
      metrics?: AppOptions['metrics'];
      /** The clock of the server, where it is another one than that which the test moves. */
      clockOf?: (moved: TestClock) => Clock;
      /** What it begins with a copy of, in place of nothing. */
      played?: Played;
    } = {},
  ): Promise<TestApp> {
    const { played } = options;
    const database = await createDatabase(inject('cluster'), played ? databaseOf(played.database) : BOOTSTRAPPED);
    // A busy machine is no reason for a test to fail: what is to be refused for its time is tested by itself.
    const { poolSize = 5, patience = LONG } = options;
    const open = (url: string): Database =>
      connect(url, { onError: () => {}, poolSize, patience, listening: TRUSTING });
    const [db, served] = [open(database.ownerUrl), open(database.serverUrl)];
    const clock = new TestClock();
    if (played) clock.set(played.at);
    const undeclared = new Set<string>();
    const timeZone = await pinnedTimeZone(db, options.timeZone, 'Asia/Kolkata');
    const { clockOf = (moved: TestClock): Clock => moved } = options;
    const app = await serve({ ...options, database, served, clock: clockOf(clock), undeclared, timeZone });
    await app.bootstrap(PASSWORD);
    const started = new TestApp({ app, db, served, clock, database, undeclared });
    started.#pieceSizes = options.pieceSizes;
    started.#names = played?.names ?? 0;
    return started;
  }

  /** Where its backups lie: nothing, until there is one. */
  get backupDir(): string {
    return backupDirOf(this.database);
  }

  /** Another server on the same database, at the same time and with the same pieces unless it says so, which may reach it through something. It is to be closed first. */
  async beside({
    poolSize = 5,
    through = (served: Database): Database => served,
    logger,
    backupPlan,
    backupKey,
    backupParts,
    pieceSizes = this.#pieceSizes,
    beacons,
    notices,
    watched,
    superadminByToken,
    isOwnerless = false,
  }: {
    poolSize?: number;
    through?: (served: Database) => Database;
    logger?: Logger;
    backupPlan?: BackupPlan;
    backupKey?: string;
    backupParts?: AppOptions['backupParts'];
    pieceSizes?: AppOptions['pieceSizes'];
    beacons?: AppOptions['beacons'];
    notices?: () => readonly FoundNotice[];
    watched?: AppOptions['watched'];
    superadminByToken?: boolean;
    /** Whether it knows the role that serves alone. */
    isOwnerless?: boolean;
  } = {}): Promise<TestApp> {
    const { db, clock, database, undeclared } = this;
    const served = through(
      connect(database.serverUrl, { onError: () => {}, poolSize, patience: LONG, listening: TRUSTING }),
    );
    const { timeZone } = this.app.services;
    const other = new TestApp({
      app: await serve({
        database: isOwnerless ? { ...database, ownerUrl: database.serverUrl } : database,
        served,
        clock,
        undeclared,
        timeZone,
        pieceSizes,
        ...(logger && { logger }),
        ...(backupPlan && { backupPlan }),
        ...(backupKey !== undefined && { backupKey }),
        ...(backupParts && { backupParts }),
        ...(beacons && { beacons }),
        ...(notices && { notices }),
        ...(watched && { watched }),
        ...(superadminByToken !== undefined && { superadminByToken }),
      }),
      db,
      served,
      clock,
      database,
      undeclared,
    });
    other.#isGuest = true;
    other.#pieceSizes = pieceSizes;
    return other;
  }

  /** Audits it if a test has asked for that, stops it and drops its database. Fails if a route has answered an error that its contract does not list. */
  async close(): Promise<void> {
    try {
      if (this.#isAuditDue) await this.expectBooksToBalanceNow();
    } finally {
      await this.#stop();
    }
    if (!this.#isGuest) this.#expectDeclared();
  }

  async #stop(): Promise<void> {
    await this.app.close();
    await this.served.close();
    if (this.#isGuest) return;
    await this.#end();
    await this.database.drop();
  }

  async #end(): Promise<void> {
    await this.db.close();
    await rm(this.backupDir, { recursive: true, force: true });
  }

  #expectDeclared(): void {
    expect([...this.undeclared], 'answered, and not among the `errors` of the route in the contract').toEqual([]);
  }

  /** Stops it and leaves its database to the servers that begin with copies of it. Whoever has it drops it in the end. Fails like {@link close}. */
  async leave(): Promise<Played> {
    if (this.#isAuditDue) await this.expectBooksToBalanceNow();
    await this.app.close();
    await this.served.close();
    await this.#end();
    this.#expectDeclared();
    return { database: this.database, at: this.clock.now(), names: this.#names };
  }

  /** Sends any request as it is, typed only by its answer. */
  async send(
    method: string,
    url: string,
    as: As = {},
    payload?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<unknown>> {
    if (as.elevation !== undefined) await this.#renew(as.elevation);
    const response = await this.app.http.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(as.token &&
          (as.cookie ? { cookie: `session-token=${as.token}` } : { authorization: `Bearer ${as.token}` })),
        ...(as.elevation && { [ELEVATION_HEADER]: as.elevation }),
        ...(as.idempotencyKey && { 'idempotency-key': as.idempotencyKey }),
        ...(as.ip && { 'x-forwarded-for': as.ip }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      body: (isJson ? response.json() : response.body) as never,
      headers: response.headers,
    };
  }

  /** Makes a call of the contract, typed on both sides. */
  async call<R extends { method: string; path: string }>(
    route: R,
    input: RouteInput<R>,
    as: As = {},
  ): Promise<Reply<R>> {
    const { params, query, body } = input as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: unknown;
    };
    const path = route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params![name]!));
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString()}`
      : '';
    return this.send(route.method, `/api/${path}${search}`, as, body);
  }

  /** The same, but it must succeed. */
  async ok<R extends { method: string; path: string }>(
    route: R,
    input: RouteInput<R>,
    as: As = {},
  ): Promise<RouteAnswer<R>> {
    const reply = await this.call(route, input, as);
    expect(reply.body, `${route.method} ${route.path}`).toMatchObject({ success: true });
    return reply.body as unknown as RouteAnswer<R>;
  }

  /** Signs an account in. */
  async signIn(username: string, password: string = PASSWORD): Promise<SignedIn> {
    const { token, user, elevation } = await this.ok(login, { body: { username, password, elevation: true } });
    RENEWED.set(elevation!, this.clock.now().getTime());
    return { _id: user._id, username: user.username, role: user.role, token, elevation: elevation! };
  }

  /** Lets an elevation of {@link signIn} or {@link network} begin anew where the clock has moved since. */
  async #renew(elevation: string): Promise<void> {
    const renewedMs = RENEWED.get(elevation);
    const now = this.clock.now();
    if (renewedMs === undefined || Math.abs(now.getTime() - renewedMs) < RENEW_EVERY_MS) return;
    RENEWED.set(elevation, now.getTime());
    await this.db.query('update elevations set created_at = $2, last_used_at = $2 where secret_hash = $1', [
      createHash('sha256').update(elevation).digest(),
      now,
    ]);
  }

  /** Creates an account of the level below `parent` (or any lower one with `refId`), without signing it in. */
  async make(parent: SignedIn, account: NewAccount = {}): Promise<Account> {
    const role = account.role ?? roleBelow(parent.role)!;
    const username = account.username ?? this.#newName(role);
    const body = { commission: 0, note: 'add notes', ...account, username, password: PASSWORD, role };
    return (await this.ok(accountRoutes[role].create, { body }, parent)).data;
  }

  /** The same, signed in. */
  async create(parent: SignedIn, account: NewAccount = {}): Promise<SignedIn & { account: Account }> {
    const data = await this.make(parent, account);
    return { ...(await this.signIn(data.username)), account: data };
  }

  /** Passes credit from one account to one below it; a superadmin that names itself issues it. */
  async give(from: SignedIn, to: SignedIn, points: number): Promise<void> {
    const self = from._id === to._id;
    const route = accountRoutes[to.role][self ? 'creditAdjust' : 'creditTransfer'];
    const body = {
      toUserId: to._id,
      password: PASSWORD,
      ...(self ? { adjustAmount: points } : { transferAmount: points }),
    };
    await this.ok(route, { body } as never, from);
  }

  /**
   * A whole network in one call: a signed-in chain of all roles with games, credit passed down to the player, and its draws open. The admin keeps
   * the reserve, whole points, so that results can be declared and bets are taken whose wins no table could pay.
   */
  async network(
    options: { credit?: number; reserve?: number; games?: string[]; commissions?: Partial<Record<Role, number>> } = {},
  ): Promise<Network> {
    const { credit = 1000, reserve = RESERVE, games = ['funtargetbingo'], commissions = {} } = options;
    const { networkId, accounts } = await makeNetwork(this.app.services, {
      password: PASSWORD,
      credit: hundredthsOf(credit)!,
      reserve: BigInt(reserve) * 100n,
      games,
      commissions,
      nameFor: (role) => this.#newName(role),
    });
    await this.app.tick();
    for (const { elevation } of accounts) RENEWED.set(elevation, this.clock.now().getTime());
    const byRole = Object.fromEntries(accounts.map((account) => [account.role, account])) as Record<Role, SignedIn>;
    return { ...byRole, networkId };
  }

  #newName(role: Role): string {
    return `${role}-${++this.#names}`;
  }

  /** Places a bet; `lines` maps draw numbers to quantities. */
  bet(
    player: SignedIn,
    lines: Record<string, number>,
    options: { gameId?: string; requestId?: string; drawId?: string } = {},
  ): Promise<Reply<typeof placeBet>> {
    return this.call(
      placeBet,
      {
        body: {
          gameId: options.gameId ?? 'funtargetbingo',
          requestId: options.requestId ?? randomUUID(),
          drawId: options.drawId,
          lines: Object.entries(lines).map(([drawno, qty]) => ({ drawno, qty })),
        },
      },
      player,
    );
  }

  /** Moves to just after the end of the running minute's draw and lets everything due happen. */
  async finishDraw(intervalSeconds = 60): Promise<void> {
    const intervalMs = intervalSeconds * 1000;
    this.clock.set(new Date((Math.floor(this.clock.now().getTime() / intervalMs) + 1) * intervalMs));
    await this.app.tick();
  }

  /** The spendable credit of an account, in points, as its manager sees it. */
  async credit(account: SignedIn): Promise<number> {
    const { data } = await this.ok(accountRoutes[account.role].get, { params: { id: account._id } }, account);
    return data.walletBalance;
  }

  /**
   * Changes something as its owner could, with triggers off, so that it is still the transaction that wrote it last which did: for what a test needs and the audit
   * would find.
   */
  async byHand(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(sql, values);
    });
  }

  /**
   * Fails with every problem of the books and logs. Call it after whatever moves credit. `npm test` audits once, when the server is closed;
   * `npm run test:long` at each call. A test that breaks the books afterwards calls {@link expectBooksToBalanceNow}.
   */
  async expectBooksToBalance(): Promise<void> {
    if (isWhole) await this.expectBooksToBalanceNow();
    else this.#isAuditDue = true;
  }

  /** Audits at once, in both tiers. */
  async expectBooksToBalanceNow(): Promise<void> {
    this.#isAuditDue = false;
    const checks = await this.served.snapshot(audit);
    expect(checks.flatMap((check) => check.problems)).toEqual([]);
  }
}

/** A folder on the disk of the database, for who looks how much of it is free. */
export const DATABASE_DIR = tmpdir();

function databaseOf({ serverUrl }: TestDatabase): string {
  return new URL(serverUrl).pathname.slice(1);
}

function backupDirOf(database: TestDatabase): string {
  return join(tmpdir(), `backups-of-${databaseOf(database)}`);
}

/** A server with the limits of tests. */
function serve({
  served,
  undeclared,
  ...options
}: {
  served: Database;
  database: TestDatabase;
  clock: Clock;
  undeclared: Set<string>;
  timeZone: string;
  signupRetailer?: string;
  superadminByToken?: boolean;
  limits?: Partial<HttpLimits>;
  notices?: () => readonly FoundNotice[];
  watched?: AppOptions['watched'];
  logger?: Logger;
  backupKey?: string;
  backupQuota?: number;
  backupPlan?: BackupPlan;
  backupParts?: AppOptions['backupParts'];
  pieceSizes?: AppOptions['pieceSizes'];
  beacons?: AppOptions['beacons'];
  migrations?: string;
  seals?: (served: Database) => AppOptions['seals'];
  metrics?: AppOptions['metrics'];
}): Promise<App> {
  return createApp({
    undeclared: ({ method, path }, code) => void undeclared.add(`${method} ${path}: ${code}`),
    db: served,
    clock: options.clock,
    seedKey: '5a'.repeat(32),
    timeZone: options.timeZone,
    logger: options.logger ?? pino({ level: 'silent' }),
    trustProxy: true,
    signupRetailer: options.signupRetailer,
    superadminByToken: options.superadminByToken,
    limits: { ...TEST_LIMITS, ...options.limits },
    betWaitMaxMs: Infinity,
    betHandOverMs: Infinity,
    drawPatience: LONG,
    backup: {
      connectionString: () => options.database.serverUrl,
      ownerConnectionString: () => options.database.ownerUrl,
      dir: backupDirOf(options.database),
      databaseDir: DATABASE_DIR,
      key: options.backupKey,
      quota: options.backupQuota,
      sealKey: TEST_SEAL_KEY,
      plan: options.backupPlan,
      migrations: options.migrations,
    },
    backupParts: options.backupParts,
    pieceSizes: options.pieceSizes,
    beacons: options.beacons,
    seals: options.seals?.(served),
    metrics: options.metrics,
    version: 'test',
    notices: options.notices,
    watched: options.watched,
  });
}

/** Starts a server before the tests of a file and makes a network in it, without credit unless it says so, before each. Gives both. */
export function onFreshNetworks(give: (t: TestApp, net: Network) => void, { credit = 0 } = {}): void {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => give(t, await t.network({ credit, ...(credit === 0 && { reserve: 0 }) })));
}

/** The address of a server that listens, for sockets. */
export async function listen(app: App): Promise<string> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}
