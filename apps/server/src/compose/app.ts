import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { accountsRoutes } from '../accounts/accounts.routes.ts';
import { type Actor, findSuperadmin, foreignAccounts } from '../accounts/authority.ts';
import type { EndSessionsBelow } from '../accounts/change/lock-target.ts';
import { rejectIdentityMismatch } from '../accounts/read/caller-identity-fields.ts';
import { activityRoutes, foreignEntries } from '../activity/activity.routes.ts';
import { createRefusals, type Refusals } from '../activity/refusals.ts';
import { apiKeysRoutes, programsOf } from '../api-keys/api-keys.routes.ts';
import { countKeyCredit, endKeysBelow } from '../api-keys/api-keys.sql.ts';
import { authRoutes } from '../auth/auth.routes.ts';
import { createFactorVault } from '../auth/factors/factor-vault.ts';
import { accountPasswords } from '../auth/passwords/password-policy.ts';
import { createPresence, type Presence } from '../auth/sessions/presence.ts';
import { withApprovals } from '../approvals/approvals.routes.ts';
import { refuseUntilDone, requireNoDuty } from '../auth/passwords/sign-in-duties.ts';
import { requireElevation } from '../auth/passwords/require-elevation.ts';
import { createSessionCache, type SessionCache } from '../auth/sessions/session-cache.ts';
import { announceMoved, endSessionsBelow, resolveSession } from '../auth/sessions/sessions.ts';
import { backUpBeforeClearing } from '../backup/take/back-up-network.ts';
import { type BackupSchedule, createBackupSchedule } from '../backup/keep/backup-schedule.ts';
import { backupRoutes } from '../backup/backup.routes.ts';
import type { BackupParts } from '../backup/take/own-backups.ts';
import { clearingRoutes } from '../clearing/clearing.routes.ts';
import { makeRoom } from '../clearing/clear-history.ts';
import { closeAll } from './close-app.ts';
import { createFirstCellFollower, type FirstCellFollower } from './follow-first-cell.ts';
import { createBackupParts } from './create-backup-parts.ts';
import { CreditCourier } from '../credit/across/carry-credit.ts';
import { creditRoutes } from '../credit/credit.routes.ts';
import type { Events, Services } from '../platform/services.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { createDrawMachine, type DrawMachine } from '../settlement/draw-machine.ts';
import { drawsRoutes } from '../draws/draws.routes.ts';
import { beaconsRoutes } from '../games/beacons.routes.ts';
import { foreignDraws, hasDraws } from '../draws/states/missing-draws.ts';
import { drawEnds, drawsAhead, nextDraws, ticketsAgainst } from '../draws/schedule/next-draws.ts';
import { createSeedVault } from '../draws/seed/seeds.ts';
import { assignGames, setGames } from '../games/catalogue/built-in-games.ts';
import { catalogueRoutes } from '../games/catalogue/catalogue.routes.ts';
import { answerHouse } from '../house/follow-house.ts';
import { answerCatalogue } from '../games/catalogue/follow-catalogue.ts';
import { gamesRoutes, limitsRoutes, percentagesRoutes } from '../games/games.routes.ts';
import { timesRoutes } from '../games/times/times.routes.ts';
import type { BoundRoute } from '../platform/http/handler.ts';
import { createBudgets, httpLimits } from '../platform/http/limits/http-limits.ts';
import { createHttpServer } from '../platform/http/http-server.ts';
import { firstStepsRoutes } from '../first-steps/first-steps.routes.ts';
import { liabilityRoutes } from '../liability/liability.routes.ts';
import type { AppOptions } from './app-options.ts';
import { answerAlive, createAskCell, serveCellCalls, type AnswerCell } from '../cells/call-cell.ts';
import { askNextCell, refuseOutsideFirstCell } from '../cells/other-cell.ts';
import { createAllCells } from '../cells/read-all-cells.ts';
import { ensureFirst } from './first-start.ts';
import { measureApp } from './measure-app.ts';
import { createMeasures, type Measures } from '../operations/metrics/measures.ts';
import { type Metrics, serveMetrics } from '../operations/metrics/metrics.ts';
import { createCallSums } from '../platform/http/call-log.ts';
import { createRequestIds, type NewRequestId } from '../platform/http/request/request-headers.ts';
import { createRejectedConnections } from '../platform/http/limits/connections.ts';
import { createLiveTables, type ReadLiveTables } from '../live/panels/read-live-tables.ts';
import { dressPage } from '../house/dress-page.ts';
import { serveHouseFiles } from '../house/house-icons.ts';
import { houseRoutes, createHouseReader } from '../house/house.routes.ts';
import { liveRoutes } from '../live/live.routes.ts';
import { carryWalletNews, broadcastPanelChanges } from '../live/news/broadcast.ts';
import { createLiveSockets } from '../live/sockets/live-sockets.ts';
import { createNetworkWork } from '../activity/network-work/network-work.ts';
import { noticesRoutes } from '../operations/notices/notices.routes.ts';
import { playersRoutes } from '../players/players.routes.ts';
import { protectionRoutes } from '../protection/protection.routes.ts';
import { createTaskRunner } from '../platform/time/task-runner.ts';
import { settlementRoutes } from '../settlement/settlement.routes.ts';
import { answerSeals, prove } from '../transparency/transparency.ts';
import { reportsRoutes } from '../reports/reports.routes.ts';
import { foreignTransfers } from '../reports/transactions/transaction-page.ts';
import { claimWaiting } from '../tickets/claim/claim-leftovers.ts';
import { type BetLanes, createBetLanes } from '../tickets/place/lanes/bet-lanes.ts';
import { routeBets } from '../tickets/place/lanes/routed-lanes.ts';
import { createProgramOrders, type ProgramOrders } from '../tickets/place/program-orders.ts';
import { tableNeeds } from '../tickets/table/table-need.ts';
import { foreignTickets, ticketNumber } from '../tickets/ticket-number.ts';
import { type ServerWatch, watchServer } from './watch-server.ts';
import { periodicTasks } from './recurring-jobs.ts';
import { ticketsRoutes } from '../tickets/tickets.routes.ts';
import { standingOrdersRoutes } from '../standing-orders/standing-orders.routes.ts';
import { weeksRoutes } from '../weeks/weeks.routes.ts';
import { hasOpenTickets, hasPlayed } from '../tickets/tickets.sql.ts';
import { sql } from '../platform/db/sql/sql.ts';

const WEB_ROOT = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const PLAYERS_ROOT = fileURLToPath(new URL('../../../players/dist', import.meta.url));

export interface App {
  readonly http: FastifyInstance;
  readonly services: Services;
  readonly newRequestId: NewRequestId;
  readonly metrics: Metrics | undefined;
  tick(): Promise<void>;
  /** Runs due work without waiting for large draws. */
  step(): Promise<void>;
  untilNextMs(): Promise<number>;
  /** `created`: username of the new superadmin, if the password was used. */
  bootstrap(password: string): Promise<{ readonly created: string | undefined }>;
  close(): Promise<void>;
}

interface Parts {
  readonly services: Services;
  readonly sessions: SessionCache;
  readonly presence: Presence;
  readonly machine: DrawMachine;
  readonly lanes: BetLanes;
  readonly orders: ProgramOrders;
  readonly refusals: Refusals;
  readonly backupParts: BackupParts;
  readonly schedule: BackupSchedule;
  readonly liveTables: ReadLiveTables;
  readonly watching: ServerWatch;
  readonly courier: CreditCourier;
  readonly house: ReturnType<typeof createHouseReader>;
  readonly follower: FirstCellFollower;
  readonly firstWeekday: NonNullable<AppOptions['firstWeekday']>;
  readonly cellUrl: AppOptions['cellUrl'];
}

/** Composition root: the only place aware of every feature. */
export async function createApp(options: AppOptions): Promise<App> {
  const measures = options.metrics && createMeasures();
  const parts = await createParts(options, measures);
  const { services, sessions, presence, machine, lanes, orders, refusals } = parts;
  const { db, clock } = services;
  const { logger, trustProxy, version, team } = options;
  const limits = options.limits ?? httpLimits({});
  const budgets = createBudgets(limits, () => clock.now().getTime(), team);
  const newRequestId = createRequestIds(() => clock.now().getTime());
  const sums = createCallSums(logger);
  const turnedAway = createRejectedConnections(logger, newRequestId);
  const way = { logger, trustProxy, team, newRequestId, answered: measures?.answered, sums, turnedAway };
  const shared = { programs: programsOf(services), budgets, limits, ...way };
  let started = false;
  const { routes, answerCell } = guardedRoutes(parts, options);
  const http = await createHttpServer<Actor>({
    routes,
    authenticate: (token, how) =>
      how === 'again' ? resolveSession(services, token) : sessions.find(token, how === 'aside' ? 'look' : 'use'),
    undeclared:
      options.undeclared ??
      (({ method, path }, code) => logger.error({ method, path, code }, 'an error is missing from the contract')),
    refused: refusals.note,
    health: {
      started: () => started,
      askDatabase: () => db.query(sql`select 1`),
      takesWrites: () => db.takesWrites(),
    },
    version,
    webRoot: WEB_ROOT,
    playersRoot: PLAYERS_ROOT,
    dress: async (html, entry, nonce) => dressPage(html, await parts.house.readForPage(), entry, nonce),
    async extend(served) {
      await prove(services, options.seals).serve(served);
      serveCellCalls(served, services, answerCell);
      serveHouseFiles(served, services, parts.house, PLAYERS_ROOT);
      if (options.metrics?.token !== undefined) serveMetrics(served, () => metrics!, options.metrics.token);
    },
    ...shared,
  });
  const sockets = createLiveSockets(http.server, services, {
    authenticate: (token, as) => requireNoDuty(sessions.find(token, as)),
    lanes,
    newestSeal: () => options.seals?.newest(),
    orders,
    refused: refusals.note,
    presence,
    ...shared,
  });
  const metrics = measureApp(measures, { ...parts, sockets, turnedAway }, options);
  const liveNews = [
    broadcastPanelChanges(services, logger, sockets.panels),
    carryWalletNews(services, logger, sockets.wallets),
  ];
  const recurring = createTaskRunner(clock, logger, periodicTasks({ ...parts, checkSeals: options.seals?.look }));
  return {
    http,
    services,
    newRequestId,
    metrics,
    async tick() {
      await machine.tick();
      await recurring.all();
    },
    async step() {
      try {
        await machine.step();
      } finally {
        await recurring.step();
      }
    },
    untilNextMs: () => machine.untilNextMs(),
    async bootstrap(password) {
      const created = await ensureFirst(services, password);
      started = true;
      return { created };
    },
    close: () => closeAll(parts, { http, sockets, liveNews, recurring, logger, sums, turnedAway }),
  };
}

async function createParts(options: AppOptions, measures: Measures | undefined): Promise<Parts> {
  const { db, clock, logger, seedKey, team, betBatchMax, betWaitMaxMs, betHandOverMs } = options;
  const { timeZone, superadminFactor, publicUrl, directory } = options;
  const events = new EventEmitter<Events>();
  const newId = createUuid7(clock);
  const services: Services = { db, clock, timeZone, superadminFactor, publicUrl, newId, events, team, directory };
  const networkWork = createNetworkWork({ db, clock, connectionString: options.backup.connectionString });
  const machine = createDrawMachine(services, createSeedVault(seedKey), { ...options, observer: measures?.draws });
  const backupParts = createBackupParts(services, { machine, networkWork, options });
  const schedule = createBackupSchedule(backupParts, logger);
  const liveTables = createLiveTables(services);
  const lanes = createBetLanes(services, (error) => logger.error({ error }, 'a bet could not be taken'), {
    batchMax: betBatchMax,
    waitMaxMs: betWaitMaxMs,
    handOverMs: betHandOverMs,
    observer: measures?.bets,
  });
  const house = createHouseReader(services);
  const follower = createFirstCellFollower(services, { logger, house });
  return {
    services,
    backupParts,
    schedule,
    liveTables,
    courier: new CreditCourier({ services, askCell: createAskCell(services), logger }),
    house,
    follower,
    firstWeekday: options.firstWeekday ?? 'sunday',
    cellUrl: options.cellUrl,
    watching: watchServer(services, { machine, schedule, liveTables, follower }, options),
    sessions: createSessionCache(services),
    presence: createPresence(services),
    machine,
    orders: createProgramOrders(services.db),
    lanes: team ? await routeBets(lanes, team) : lanes,
    refusals: createRefusals(services, [
      foreignAccounts,
      foreignEntries,
      foreignDraws,
      foreignTransfers,
      (on, actor, names) => foreignTickets(on, actor, names, clock.now()),
    ]),
  };
}

function guardedRoutes(parts: Parts, options: AppOptions) {
  const { services } = parts;
  const bare = routesOf(parts, options);
  const findOwn = (): ReturnType<typeof findSuperadmin> => findSuperadmin(services.db);
  const allCells = createAllCells({ services, findSuperadmin: findOwn, logger: options.logger });
  const routes = bare.map((bound) => {
    const ofAllCells = refuseOutsideFirstCell(services, allCells.wrap(bound));
    const guarded = rejectIdentityMismatch(refuseUntilDone(requireElevation(services, ofAllCells, options)));
    return askNextCell(services, guarded);
  });
  const answerRead = allCells.answer(bare);
  const answerCell: AnswerCell = (read, from) =>
    answerAlive(services, read) ??
    answerCatalogue(services, hasDraws, read) ??
    answerHouse(services, read) ??
    answerSeals(options.seals, read) ??
    parts.courier.answerCell(read, from) ??
    answerRead(read);
  return { routes, answerCell };
}

function routesOf(parts: Parts, options: AppOptions): BoundRoute<Actor>[] {
  const { services, machine, lanes, orders, backupParts, liveTables, watching, house, firstWeekday } = parts;
  const vault = createFactorVault(options.seedKey);
  const proofs = prove<Actor>(services, options.seals);
  const { signupRetailer, logger, backup, retentionDays = 0 } = options;
  const endBelow: EndSessionsBelow = (tx, accountId, reach) => endSessionsBelow(services, tx, accountId, reach);
  return withApprovals(services, countKeyCredit, [
    ...authRoutes(services, vault, { signupRetailer, houseName: async () => (await house.read()).name }),
    ...accountsRoutes(services, {
      ...accountPasswords,
      assignGames,
      setGames: (...given) => setGames(services, ...given),
      hasOpenTickets,
      hasPlayed,
      endSessionsBelow: endBelow,
      announceMove: (tx, accountId) => announceMoved(services, tx, accountId),
      endApiKeys: endKeysBelow,
    }),
    ...protectionRoutes(services, {
      endSessionsBelow: endBelow,
      claimWaiting: (tx, players, at) => claimWaiting(tx, services, players, at),
    }),
    ...apiKeysRoutes(services),
    ...creditRoutes(services, {
      ticketNumber,
      failedPart: (error) => logger.error({ error }, 'commissions of a network could not be paid'),
      courier: parts.courier,
    }),
    ...catalogueRoutes(services, hasDraws),
    ...gamesRoutes(services, tableNeeds),
    ...houseRoutes(services, house),
    ...timesRoutes(services, { drawEnds, drawsAhead, ticketsAgainst }),
    ...percentagesRoutes(services, (on, pairs) => nextDraws(on, pairs, services.clock.now())),
    ...limitsRoutes(services),
    ...drawsRoutes(services),
    ...settlementRoutes(machine),
    ...beaconsRoutes(services, () => machine.beacons.list()),
    ...ticketsRoutes(services, lanes, orders, { ...proofs, openAhead: machine.openAhead }),
    ...proofs.routes,
    ...liveRoutes(services, liveTables),
    ...playersRoutes(services),
    ...firstStepsRoutes(services),
    ...liabilityRoutes(services),
    ...weeksRoutes(services, firstWeekday),
    ...standingOrdersRoutes(services, firstWeekday),
    ...reportsRoutes(services, firstWeekday, options.standby),
    ...activityRoutes(services),
    ...clearingRoutes({
      services,
      networkWork: backupParts.work,
      retentionDays,
      backUp: (order) =>
        backUpBeforeClearing(services, backup, { ...order, readSpace: options.watched?.readDisk }, logger),
      makeRoom: (models) => makeRoom((backup.ownerConnectionString ?? backup.connectionString)(), models, logger),
    }),
    ...noticesRoutes(services, watching),
    ...backupRoutes(backupParts),
  ]);
}
