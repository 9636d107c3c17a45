import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { hundredthsOf, roleBelow, type Failure, type Role } from '@drawhouse/contract/core/primitives';
import type { BackupPlan } from '../src/config/backup-settings.ts';
import { ELEVATION_HEADER, ELEVATION_MINUTES, type RouteAnswer, type RouteInput } from '@drawhouse/contract/core/route';
import { pino, type Logger } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { pinnedTimeZone } from '../src/platform/settings/pinned-settings.ts';
import type { Directory } from '../src/platform/services.ts';
import { createApp, type App } from '../src/compose/app.ts';
import type { AppOptions } from '../src/compose/app-options.ts';
import { audit } from '../src/audit/audit.ts';
import type { Team } from '../src/platform/cluster/team.ts';
import type { Clock } from '../src/platform/time/clock.ts';
import { connect, type Database } from '../src/platform/db/database.ts';
import { COMMAND_TIMEOUTS, type Timeouts } from '../src/platform/db/connection/timeouts.ts';
import { httpLimits, type HttpLimits, type Rate } from '../src/platform/http/limits/http-limits.ts';
import { PATIENT } from './busy-machine.ts';
import { isWhole } from './test-tier.ts';
import { makeNetwork } from './worlds/make-network.ts';
import './quick-passwords.ts';
import { PASSWORD } from './test-password.ts';
import { TEST_SEAL_KEY } from './test-seal-key.ts';
import { BOOTSTRAPPED, createDatabase, TEST_EPOCH, type TestDatabase } from './test-databases.ts';

/** Budgets never refill while the clock is stopped. */
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

export const RESERVE = 1_000_000;

const RENEWED = new Map<string, number>();
const RENEW_EVERY_MS = (ELEVATION_MINUTES.idle * 60_000) / 2;

export class TestClock implements Clock {
  #nowMs = TEST_EPOCH.getTime();

  now(): Date {
    return new Date(this.#nowMs);
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }

  set(to: Date): void {
    this.#nowMs = to.getTime();
  }
}

export interface Reply<R> {
  status: number;
  body: Omit<RouteAnswer<R> & Omit<Failure, 'success'>, 'success'> & { success: boolean; code?: string };
  headers: Record<string, string | string[] | number | undefined>;
}

/** `cookie`: the token travels as session cookie instead of a header. */
export interface As {
  token?: string;
  elevation?: string;
  cookie?: boolean;
  idempotencyKey?: string;
  ip?: string;
}

export interface SignedIn {
  _id: string;
  username: string;
  role: Role;
  token: string;
  /** Renewed whenever the clock moves, so unrelated tests never confirm passwords. */
  elevation: string;
}

export type Network = Record<Role, SignedIn> & { readonly networkId: number };

export type NewAccount = Partial<{
  role: Role;
  username: string;
  commission: number;
  commissionCeiling: number;
  refId: string;
  games: string[];
  userStatus: boolean;
}>;

export interface TestCell {
  readonly db: Database;
  readonly served: Database;
  readonly timeZone: string;
  readonly ownerUrl: string;
}

export interface Played {
  readonly database: TestDatabase;
  readonly at: Date;
  readonly names: number;
}

export class TestApp {
  readonly app: App;
  readonly db: Database;
  readonly served: Database;
  readonly clock: TestClock;
  readonly database: TestDatabase;
  readonly undeclared: Set<string>;
  #isGuest = false;
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

  static async start(
    options: {
      timeZone?: string;
      signupRetailer?: string;
      superadminByToken?: boolean;
      poolSize?: number;
      patience?: Timeouts;
      limits?: Partial<HttpLimits>;
      notices?: AppOptions['notices'];
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
      team?: Team;
      seedKey?: string;
      clockOf?: (moved: TestClock) => Clock;
      played?: Played;
      /** Makes the app a cell of a group. Names count from `names`, so cells share none by chance. */
      cell?: { readonly join: (cell: TestCell) => Promise<Directory>; readonly names: number };
    } = {},
  ): Promise<TestApp> {
    const { played } = options;
    const database = await createDatabase(inject('cluster'), played ? databaseOf(played.database) : BOOTSTRAPPED);
    // Busy machines must not fail tests; timeouts are tested separately.
    const { poolSize = 5, patience } = options;
    const open = (url: string): Database =>
      connect(url, { onError: () => {}, poolSize, ...PATIENT, ...(patience && { patience }) });
    const [db, served] = [open(database.ownerUrl), open(database.serverUrl)];
    const clock = new TestClock();
    if (played) clock.set(played.at);
    const undeclared = new Set<string>();
    const timeZone = await pinnedTimeZone(db, options.timeZone, 'Asia/Kolkata');
    const { clockOf = (moved: TestClock): Clock => moved } = options;
    const directory = await options.cell?.join({ db, served, timeZone, ownerUrl: database.ownerUrl });
    const app = await serve({ ...options, database, served, clock: clockOf(clock), undeclared, timeZone, directory });
    await app.bootstrap(PASSWORD);
    const started = new TestApp({ app, db, served, clock, database, undeclared });
    started.#pieceSizes = options.pieceSizes;
    started.#names = played?.names ?? options.cell?.names ?? 0;
    return started;
  }

  get backupDir(): string {
    return backupDirOf(this.database);
  }

  /** Second server on the same database; `through` wraps its access. Close it first. */
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
    superadminFactor,
    isOwnerless = false,
    team,
  }: {
    poolSize?: number;
    through?: (served: Database) => Database;
    logger?: Logger;
    backupPlan?: BackupPlan;
    backupKey?: string;
    backupParts?: AppOptions['backupParts'];
    pieceSizes?: AppOptions['pieceSizes'];
    beacons?: AppOptions['beacons'];
    notices?: AppOptions['notices'];
    watched?: AppOptions['watched'];
    superadminByToken?: boolean;
    superadminFactor?: boolean;
    isOwnerless?: boolean;
    team?: Team;
  } = {}): Promise<TestApp> {
    const { db, clock, database, undeclared } = this;
    const served = through(connect(database.serverUrl, { onError: () => {}, poolSize, ...PATIENT }));
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
        ...(team && { team }),
        ...(superadminByToken !== undefined && { superadminByToken }),
        superadminFactor,
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

  /** Runs a requested audit, stops, drops the database. Fails on undeclared error codes. */
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

  /** Keeps the database for copies. Fails like {@link close}. */
  async leave(): Promise<Played> {
    if (this.#isAuditDue) await this.expectBooksToBalanceNow();
    await this.app.close();
    await this.served.close();
    await this.#end();
    this.#expectDeclared();
    return { database: this.database, at: this.clock.now(), names: this.#names };
  }

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

  async ok<R extends { method: string; path: string }>(
    route: R,
    input: RouteInput<R>,
    as: As = {},
  ): Promise<RouteAnswer<R>> {
    const reply = await this.call(route, input, as);
    expect(reply.body, `${route.method} ${route.path}`).toMatchObject({ success: true });
    return reply.body as unknown as RouteAnswer<R>;
  }

  async signIn(username: string, password: string = PASSWORD): Promise<SignedIn> {
    const { token, user, elevation } = await this.ok(login, { body: { username, password, elevation: true } });
    RENEWED.set(elevation!, this.clock.now().getTime());
    return { _id: user._id, username: user.username, role: user.role, token, elevation: elevation! };
  }

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

  /** Direct child of `parent`, or lower with `refId`. Its password counts as its own. Does not sign in. */
  async make(parent: SignedIn, account: NewAccount = {}): Promise<Account> {
    const role = account.role ?? roleBelow(parent.role)!;
    const username = account.username ?? this.#newName(role);
    const body = { commission: 0, note: 'add notes', ...account, username, password: PASSWORD, role };
    const { data } = await this.ok(accountRoutes[role].create, { body }, parent);
    await this.takePasswordsAsOwn();
    return data;
  }

  /** Passwords that somebody else set are temporary. */
  async takePasswordsAsOwn(): Promise<void> {
    for (const table of ['accounts', 'logins'])
      await this.byHand(`update ${table} set temporary_until = null where temporary_until is not null`);
  }

  async create(parent: SignedIn, account: NewAccount = {}): Promise<SignedIn & { account: Account }> {
    const data = await this.make(parent, account);
    return { ...(await this.signIn(data.username)), account: data };
  }

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
   * Signed-in chain with games, credit for the player, and open draws. The admin keeps the reserve, in points, to cover
   * results and bets.
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

  /** Advances just past the current draw and runs due work. */
  async finishDraw(intervalSeconds = 60): Promise<void> {
    const intervalMs = intervalSeconds * 1000;
    this.clock.set(new Date((Math.floor(this.clock.now().getTime() / intervalMs) + 1) * intervalMs));
    await this.app.tick();
  }

  /** In points. */
  async credit(account: SignedIn): Promise<number> {
    const { data } = await this.ok(accountRoutes[account.role].get, { params: { id: account._id } }, account);
    return data.walletBalance;
  }

  /** Triggers are off, so the previous writer stays recorded. The audit would detect such changes. */
  async byHand(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(sql, values);
    });
  }

  /**
   * Fails on any problem in books and logs. `npm test` audits once at close, `npm run test:long` at every call. Tests
   * that break the books afterwards need {@link expectBooksToBalanceNow}.
   */
  async expectBooksToBalance(): Promise<void> {
    if (isWhole) await this.expectBooksToBalanceNow();
    else this.#isAuditDue = true;
  }

  async expectBooksToBalanceNow(): Promise<void> {
    this.#isAuditDue = false;
    const checks = await this.served.snapshot(audit);
    expect(checks.flatMap((check) => check.problems)).toEqual([]);
  }
}

export const DATABASE_DIR = tmpdir();

function databaseOf({ serverUrl }: TestDatabase): string {
  return new URL(serverUrl).pathname.slice(1);
}

function backupDirOf(database: TestDatabase): string {
  return join(tmpdir(), `backups-of-${databaseOf(database)}`);
}

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
  superadminFactor?: boolean | undefined;
  superadminByToken?: boolean;
  limits?: Partial<HttpLimits>;
  notices?: AppOptions['notices'];
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
  team?: Team;
  seedKey?: string;
  directory?: Directory | undefined;
}): Promise<App> {
  return createApp({
    undeclared: ({ method, path }, code) => void undeclared.add(`${method} ${path}: ${code}`),
    db: served,
    clock: options.clock,
    seedKey: options.seedKey ?? '5a'.repeat(32),
    timeZone: options.timeZone,
    logger: options.logger ?? pino({ level: 'silent' }),
    trustProxy: true,
    signupRetailer: options.signupRetailer,
    team: options.team,
    superadminByToken: options.superadminByToken,
    superadminFactor: options.superadminFactor,
    limits: { ...TEST_LIMITS, ...options.limits },
    betWaitMaxMs: Infinity,
    betHandOverMs: Infinity,
    drawPatience: COMMAND_TIMEOUTS,
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
    directory: options.directory,
    version: 'test',
    notices: options.notices,
    watched: options.watched,
  });
}

/** One server per file, a network per test, by default without credit. */
export function onFreshNetworks(give: (t: TestApp, net: Network) => void, { credit = 0 } = {}): void {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => give(t, await t.network({ credit, ...(credit === 0 && { reserve: 0 }) })));
}

export async function listen(app: App): Promise<string> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}
