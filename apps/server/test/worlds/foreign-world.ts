import { makeWall } from '@drawhouse/contract/players/wall';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog, logUserActivity } from '@drawhouse/contract/activity/activity';
import { changePassword, login } from '@drawhouse/contract/auth/auth';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { roleBelow, ROLES, STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { ELEVATION_HEADER } from '@drawhouse/contract/core/route';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { percentages, setPercentages } from '@drawhouse/contract/games/percentages';
import { addSchedule } from '@drawhouse/contract/games/schedules';
import { addTime, timeList } from '@drawhouse/contract/games/times';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import sharp from 'sharp';
import { expect } from 'vitest';
import { PASSWORD } from '../test-password.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';
import type { Names } from '../models/readings.ts';
import { secondSuperadmin } from './second-superadmin.ts';

export const OPEN = 'funtargetbingo';
const JODI = 'acqOpdpL';
/** One per part, because only one draw of a game runs while the clock is stopped. */
const SETTLED = ['pingpong1', 'zzqOpdpE', 'pingpong2', 'ccqOpdpE', 'luckycard16', 'wbzegyzA'] as const;
const DECLARED = 'fruit12';
const VOIDED = 'horse12';
/** For separate networks only: one assigned from the start, one later. */
const ELSEWHERE = 'playsmart12';
const GOT = 'titlisorrat';
const GAMES = [OPEN, JODI, DECLARED, VOIDED, ...SETTLED];

const COMMISSIONS: Partial<Record<Role, number>> = { superdistributor: 4, distributor: 3, retailer: 2, user: 1 };
const DAY_MS = 86_400_000;

export interface Part {
  readonly over: SignedIn;
  readonly chain: readonly SignedIn[];
  readonly admin: SignedIn;
  readonly superadmin: SignedIn;
  readonly settles: string;
}

export interface World {
  readonly own: Network;
  /**
   * Foreign players, keyed by the highest role they are foreign to: another superadmin's network, another admin's
   * network, or a sibling under the same parent.
   */
  readonly parts: Readonly<Record<Role, Part>>;
  readonly names: Readonly<Record<Role, Names>>;
}

export async function makeWorld(t: TestApp): Promise<World> {
  const own = await t.network({ credit: 0, games: [...GAMES, GOT], commissions: COMMISSIONS });
  const { superadmin } = own;
  const gameRows = new Map(
    (await t.ok(gameList.route, { query: {} }, superadmin)).data.map((game) => [game.gameId, game._id]),
  );
  for (const gameId of SETTLED)
    await t.ok(changeGame, { params: { id: gameRows.get(gameId)! }, body: { manualClaims: 'yes' } }, superadmin);
  const { image } = await changeImage(t, superadmin, gameRows.get(OPEN)!);
  const other = await secondSuperadmin(t);
  const above: Record<Role, SignedIn> = {
    superadmin: other,
    admin: superadmin,
    superdistributor: own.admin,
    distributor: own.superdistributor,
    retailer: own.distributor,
    user: own.retailer,
  };
  const parts = {} as Record<Role, Part>;
  for (const [index, role] of ROLES.entries()) {
    const over = above[role];
    const chain = await chainBelow(t, over);
    const admin = chain[0]!.role === 'admin' ? chain[0]! : own.admin;
    parts[role] = { over, chain, admin, superadmin: index === 0 ? other : superadmin, settles: SETTLED[index]! };
  }
  const everybody = [...ROLES.map((role) => own[role]), ...Object.values(parts).flatMap(({ chain }) => chain), other];
  for (const by of [superadmin, other]) await t.give(by, by, 1_000_000);
  for (const { superadmin: by, chain } of [
    { superadmin, chain: ROLES.slice(1).map((role) => own[role]) },
    ...Object.values(parts),
  ])
    for (const account of chain) await t.give(by, account, 5_000);

  await t.finishDraw();
  await playDraws(t, own, parts);
  t.clock.advance(DAY_MS);
  for (const account of everybody) Object.assign(account, await t.signIn(account.username));
  await t.finishDraw();
  await playDraws(t, own, parts);
  await payBelow(t, own.superadmin, [own.admin, own.superdistributor, own.distributor, own.retailer, own.user]);
  t.clock.advance(5_000);
  await bet(t, own.user, OPEN, REQUEST);

  const ticket = (await t.ok(playerTickets, { query: { gameId: OPEN } }, own.user)).data.at(-1)!;
  const given = {
    id: own.user._id,
    type: 'credit',
    startDate: '2026-03-01T00:00:00Z',
    endDate: '2026-03-31T00:00:00Z',
  } as const;
  const [transfer] = (await t.ok(transactionReport.route, { query: given }, own.retailer)).data;
  const [time] = (await t.ok(timeList.route, { query: {} }, superadmin)).data;
  const planned = { name: 'Evenings', times: ['19:00'], weekdays: [1, 3], daysOff: [], daysOn: [], closesBefore: 0 };
  const { data: schedule } = await t.ok(addSchedule, { body: { ...planned, opensAt: null, games: [] } }, superadmin);
  const { folder } = await t.ok(exportBackup, {}, own.admin);
  const logins = new Map<Role, string>();
  const apiKeys = new Map<Role, string>();
  for (const role of STAFF_ROLES) {
    if (role !== 'superadmin')
      apiKeys.set(role, (await t.ok(makeApiKey, { body: { name: 'Front' } }, own[role])).data._id);
    const body = { username: `login.${role}`, name: 'Meera', role: 'manager' as const, password: PASSWORD };
    logins.set(role, String((await t.ok(addLogin, { body }, own[role])).data.number));
  }
  const { key } = await t.ok(makeWall, {}, own.admin);
  const names = {} as Record<Role, Names>;
  for (const role of ROLES) {
    const child = own[roleBelow(role) ?? role];
    const [logRow] = role === 'user' ? [] : (await t.ok(activityLog.route, { query: {} }, own[role])).data;
    names[role] = {
      id: own[role]._id,
      userId: own[role]._id,
      text: own.user.username,
      child: child._id,
      player: own.user._id,
      apiKey: apiKeys.get(role) ?? apiKeys.get('admin')!,
      login: logins.get(role) ?? '1',
      admin: own.admin._id,
      adminId: own.admin._id,
      gameId: OPEN,
      jodi: JODI,
      gameRow: gameRows.get(OPEN)!,
      hash: image!.split('/').at(-1)!,
      drawId: ticket.drawId,
      ticketId: ticket._id,
      transferId: transfer!._id,
      digest: ticket.digest,
      requestId: REQUEST,
      time: time!._id,
      schedule: schedule._id,
      folder,
      key,
      ...(logRow && { logRow: logRow._id }),
    };
  }
  return { own, parts, names };
}

async function chainBelow(t: TestApp, top: SignedIn): Promise<SignedIn[]> {
  const chain: SignedIn[] = [];
  for (let role = roleBelow(top.role); role; role = roleBelow(role))
    chain.push(
      await t.create(chain.at(-1) ?? top, {
        role,
        commission: COMMISSIONS[role] ?? 0,
        ...(role === 'admin' && { games: [...GAMES, ELSEWHERE] }),
      }),
    );
  return chain;
}

async function playDraws(t: TestApp, own: Network, parts: Readonly<Record<Role, Part>>): Promise<void> {
  for (const gameId of [OPEN, DECLARED, VOIDED, ...SETTLED]) await bet(t, own.user, gameId);
  for (const { chain, settles, admin } of Object.values(parts)) {
    for (const gameId of [OPEN, settles]) await bet(t, chain.at(-1)!, gameId);
    if (admin === chain[0]) await operate(t, admin);
  }
  await operate(t, own.admin);
  await t.finishDraw();
}

const REQUEST = 'asked for again';

/** All sixteen numbers, so any result wins. */
const ON_EACH = Object.fromEntries(Array.from({ length: 16 }, (_, number) => [number, 1]));

async function bet(t: TestApp, player: SignedIn, gameId: string, requestId?: string): Promise<void> {
  const isSettled = SETTLED.some((game) => game === gameId);
  const lines = isSettled ? ON_EACH : { 3: 2, 7: 1 };
  expect(await t.bet(player, lines, { gameId, ...(requestId && { requestId }) }), `a bet on ${gameId}`).toMatchObject({
    status: 201,
  });
}

async function operate(t: TestApp, admin: SignedIn): Promise<void> {
  const [declared, voided] = [DECLARED, VOIDED].map((gameId) => ({ gameId, adminId: admin._id }));
  await t.ok(addResult, { body: { ...declared!, result: '7', boosterValue: 2 } }, admin);
  await t.ok(voidDraw, { body: { ...voided!, reason: 'Wrong ball' } }, admin);
  await t.ok(addBalance, { body: { ...declared!, type: 'add', balance: 10 } }, admin);
}

async function payBelow(t: TestApp, over: SignedIn, chain: readonly SignedIn[]): Promise<void> {
  for (const [index, { _id, role }] of chain.entries())
    if (role !== 'admin')
      await t.ok(payCommission, { body: { toUserId: _id, password: PASSWORD } }, chain[index - 1] ?? over);
}

/**
 * Every action that could show anywhere. For whole networks also admin work: results, voids, limits, tables, games, a
 * daily sum.
 */
export async function play(t: TestApp, { over, chain, admin, superadmin, settles }: Part): Promise<void> {
  const player = chain.at(-1)!;
  for (const by of [over, ...chain.slice(0, -1)]) await playAccounts(t, by);
  await t.give(over, chain[0]!, 50);

  for (const gameId of [OPEN, settles]) await bet(t, player, gameId);
  await t.ok(generateResult, { body: { gameId: settles, adminId: admin._id } }, admin);
  const waiting = await t.ok(playerTickets, { query: { claims: 'waiting' } }, player);
  await t.ok(claimWin, { body: { ticketId: waiting.data[0]!._id } }, player);
  await payBelow(t, over, chain);

  await t.ok(
    logUserActivity,
    { body: { subject: 'Looked at something', requestUrl: '/somewhere', method: 'GET' } },
    player,
  );
  expect(await t.call(login, { body: { username: player.username, password: 'a wrong one' } })).toMatchObject({
    status: 401,
  });
  const npass = `${PASSWORD} anew`;
  await t.ok(changePassword, { body: { opass: PASSWORD, npass, cpass: npass } }, player);
  if (chain[0] === admin) await playNetwork(t, admin, superadmin);
  await t.app.tick();
}

async function playAccounts(t: TestApp, by: SignedIn): Promise<void> {
  const role = roleBelow(by.role)!;
  const routes = accountRoutes[role];
  const made = await t.create(by);
  await t.give(by, made, 4);
  const taken = { toUserId: made._id, adjustAmount: 1, transactionType: 'debit' as const, password: PASSWORD };
  await t.ok(routes.creditAdjust, { body: taken }, by);
  await t.ok(routes.update, { params: { id: made._id }, body: { note: 'is known by now' } }, by);
  const off = await t.make(by);
  await t.ok(routes.toggleStatus, { params: { userId: off._id, action: 'deactivate' } }, by);
  const gone = await t.create(by);
  await t.give(by, gone, 2);
  await t.ok(routes.remove, { params: { id: gone._id } }, by);
}

async function playNetwork(t: TestApp, admin: SignedIn, superadmin: SignedIn): Promise<void> {
  await operate(t, admin);
  const limited = await t.ok(listLimits, { params: { adminId: admin._id } }, admin);
  await t.ok(
    setLimits,
    { params: { adminId: admin._id }, body: { updates: limited.data.map(({ id }) => ({ id, perTicket: 999 })) } },
    admin,
  );
  const set = await t.ok(percentages, { params: { id: admin._id } }, admin);
  const updates = set.data.map(({ id }) => ({ id, winpercentage: 95.5 }));
  await t.ok(setPercentages, { params: { id: admin._id }, body: { updates } }, admin);

  await t.ok(
    accountRoutes.admin.update,
    { params: { id: admin._id }, body: { games: [...GAMES, ELSEWHERE, GOT] } },
    superadmin,
  );
  // Daily sums cover all networks; no call sums a single one.
  await t.db.query(
    `update liability_days set staff_credit = staff_credit + 700, outside = outside - 700
     where network_id = (select network_id from accounts where id = $1)`,
    [admin._id],
  );
}

/** Shared data: image of a foreign network's game, and intervals. */
export async function playCatalogue(t: TestApp, superadmin: SignedIn): Promise<void> {
  const games = (await t.ok(gameList.route, { query: {} }, superadmin)).data;
  await changeImage(t, superadmin, games.find(({ gameId }) => gameId === ELSEWHERE)!._id);
  await t.ok(addTime, { body: { timecount: 700 + shade } }, superadmin);
}

async function changeImage(t: TestApp, superadmin: SignedIn, gameRow: string): Promise<Game> {
  const background = { r: shade++, g: 20, b: 90 };
  const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('image', new File([picture], 'picture.png', { type: 'image/png' }));
  const sent = new Response(form);
  const reply = await t.app.http.inject({
    method: 'PUT',
    url: `/api/${changeGame.path.replace(':id', gameRow)}`,
    headers: {
      authorization: `Bearer ${superadmin.token}`,
      [ELEVATION_HEADER]: superadmin.elevation,
      'content-type': sent.headers.get('content-type')!,
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ data: Game }>().data;
}
let shade = 0;
