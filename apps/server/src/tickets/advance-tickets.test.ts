import { randomUUID } from 'node:crypto';
import { comingDraws, placeAhead } from '@drawhouse/contract/tickets/advance-tickets';
import { changeGame } from '@drawhouse/contract/games/game-catalogue';
import {
  addSchedule,
  changeSchedule,
  oneSchedule,
  listClosures,
  setClosures,
} from '@drawhouse/contract/games/schedules';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { playerState } from '@drawhouse/contract/draws/draws';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { setTableLine } from '../../test/worlds/audit-world.ts';
import { winDraw } from '../../test/worlds/foresee-draw.ts';
import { createNetworkWork } from '../activity/network-work/network-work.ts';
import { readFutureRows } from '../settlement/correct-clock.ts';

const GAME = 'funtargetbingo';
const HOURS = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00', '17:00', '18:00'];
const at = (clock: string): Date => new Date(`2026-11-06T${clock}:00Z`);
const numberOf = (clock: string): number => Number(`20261106${clock.replace(':', '')}`);

let t: TestApp;
let net: Network;
let gameId = '';
const PLAN = {
  name: 'Hourly',
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  daysOff: [],
  daysOn: [],
  opensAt: null,
  closesBefore: 0,
};

beforeEach(async () => {
  t = await TestApp.start({ timeZone: 'UTC' });
  t.clock.set(at('08:58'));
  net = await t.network({ credit: 10, games: [GAME] });
  [gameId = ''] = (await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME])).map(
    ({ id }) => id,
  );
  await t.ok(addSchedule, { body: { ...PLAN, times: HOURS, games: [gameId] } }, net.superadmin);
  await tickAt('08:59');
});
afterEach(() => t.close());

async function tickAt(clock: string): Promise<void> {
  t.clock.set(at(clock));
  await t.app.tick();
}

const buy = (draws: number[], requestId: string = randomUUID(), qty = 2) =>
  t.call(placeAhead, { body: { gameId: GAME, requestId, draws, lines: [{ drawno: '5', qty }] } }, net.user);

async function signInAgain(): Promise<void> {
  net = { ...net, user: await t.signIn(net.user.username), admin: await t.signIn(net.admin.username) };
}

it('buys tickets for coming draws, which open ahead, take place at their times and are in every list', async () => {
  const { data } = await t.ok(comingDraws, { query: { gameId: GAME } }, net.user);
  expect(data.map(({ number }) => number)).toEqual(HOURS.slice(1, 8).map(numberOf));
  const running = (await t.ok(playerState, { query: { gameId: GAME } }, net.user)).draw!;
  expect(running.number).toBe(numberOf('09:00'));
  // Ahead, then on the running draw, so the order of ids is not that of draws.
  const { body } = await buy([numberOf('11:00'), numberOf('10:00')]);
  expect(body).toMatchObject({ success: true, walletBalance: 6 });
  const [ten, eleven] = body.tickets;
  const now = (await t.bet(net.user, { 7: 1 })).body.ticket;
  expect(now.drawId).toBe(running._id);
  expect((await t.ok(playerState, { query: { gameId: GAME } }, net.user)).draw).toEqual(running);
  expect(await readFutureRows(t.db, t.clock.now())).toMatchObject({ unfinished: 0, until: undefined });
  await t.expectBooksToBalanceNow();

  await tickAt('09:00');
  const second = (await t.ok(playerState, { query: { gameId: GAME } }, net.user)).draw!;
  expect(second).toMatchObject({ _id: ten!.drawId, opensAt: at('09:00').toISOString(), status: 'open' });
  await tickAt('10:00');
  await tickAt('11:00');
  const settled = await t.db.query<{ id: string; at: Date; late: string }>(
    `select id, draws_at as at, (finished_at - draws_at)::text as late from draws where status = 'settled' and bets_from is not null
     order by draws_at`,
  );
  expect(settled).toEqual([
    { id: ten!.drawId, at: at('10:00'), late: '00:00:00' },
    { id: eleven!.drawId, at: at('11:00'), late: '00:00:00' },
  ]);
  await signInAgain();
  const ids = [now._id, eleven!._id, ten!._id];
  for (const query of [{}, { gameId: GAME }]) {
    expect((await t.ok(playerTickets, { query }, net.user)).data.map(({ _id }) => _id)).toEqual(ids);
    const rows = (await t.ok(betList.route, { query }, net.admin)).data;
    expect(rows.map(({ _id }) => _id)).toEqual(ids);
  }
  await t.expectBooksToBalanceNow();
});

it('buys all or none, and once', async () => {
  const six = HOURS.slice(1, 7).map(numberOf);
  expect((await buy(six)).body).toMatchObject({ code: 'INSUFFICIENT_CREDIT' });
  expect(await t.db.query('select from tickets')).toEqual([]);
  expect(await t.credit(net.user)).toBe(10);
  const requestId = randomUUID();
  const first = (await buy(six.slice(0, 2), requestId)).body;
  expect((await buy(six.slice(0, 2), requestId)).body).toMatchObject({ tickets: first.tickets, walletBalance: 6 });
  expect((await buy(six.slice(0, 3), requestId)).body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect((await buy(six.slice(1, 3), requestId)).body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect((await buy([numberOf('08:00')])).body).toMatchObject({ code: 'BETTING_CLOSED' });
  expect((await buy([numberOf('10:00'), numberOf('10:30')])).body).toMatchObject({
    code: 'BETTING_CLOSED',
    fields: { 'draws.1': expect.any(String) as string },
  });
  expect(await t.credit(net.user)).toBe(6);
  await t.expectBooksToBalance();
});

it('keeps the draw time, price and pays of the first ticket when the schedule and the game change', async () => {
  const [first] = (await buy([numberOf('11:00')])).body.tickets;
  const [{ id } = { id: '' }] = await t.db.query<{ id: string }>('select id from schedules');
  // The schedule's form shows it.
  expect((await t.ok(oneSchedule, { params: { id } }, net.superadmin)).ahead).toMatchObject([
    { gameId, opensAt: at('10:00').toISOString(), drawsAt: at('11:00').toISOString() },
  ]);
  const body = { ...PLAN, times: ['10:30', '11:30'], closesBefore: 10, games: [gameId] };
  await t.ok(changeSchedule, { params: { id }, body }, net.superadmin);
  await t.ok(changeGame, { params: { id: gameId }, body: { pays: { number: 5 }, unitPrice: 2 } }, net.superadmin);
  const [second] = (await buy([numberOf('11:00')])).body.tickets;
  expect([first, second]).toMatchObject([1, 2].map(() => ({ drawId: first!.drawId, playpoints: 2 })));
  for (const clock of ['09:00', '10:29', '10:30', '10:59', '11:00', '11:29', '11:30']) await tickAt(clock);
  const drawn = await t.db.query(
    `select d.draws_at as at, d.closes_at, t.unit_price as price, t.pays from draws d join draw_terms t on t.id = d.terms_id
     where d.status = 'settled' and d.draws_at > $1 order by d.draws_at`,
    [at('09:00')],
  );
  // No draw at 10:30: its betting would overlap that of the draw at 11:00.
  expect(drawn).toEqual([
    { at: at('11:00'), closes_at: new Date(at('11:00').getTime() - 5_000), price: 100n, pays: { number: 900 } },
    { at: at('11:30'), closes_at: at('11:20'), price: 200n, pays: { number: 500 } },
  ]);
  await t.expectBooksToBalanceNow();
});

it('counts limits for each draw, and names the draw that is full', async () => {
  const { data } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.admin);
  const updates = [{ id: data[0]!.id, perNumber: 3, perTicket: null, perPlayer: null }];
  await t.ok(setLimits, { params: { adminId: net.admin._id }, body: { updates } }, net.admin);
  const [ten, eleven, twelve] = ['10:00', '11:00', '12:00'].map(numberOf) as [number, number, number];
  await buy([eleven]);
  const { body } = await buy([twelve, eleven, ten]);
  expect(body).toMatchObject({ code: 'LIMIT_REACHED', fields: { 'draws.1': body.message } });
  expect(body.fields).not.toHaveProperty(['draws.0']);
  expect((await buy([ten, twelve])).status).toBe(201);
});

it('opens no draw ahead while the books are closed or the tables below their line', async () => {
  const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString: () => t.database.serverUrl });
  const kind = { adminId: net.admin._id, kind: 'restore', by: 'anna', closes: net.networkId } as const;
  await work.run(kind, async () => {
    expect((await buy([numberOf('11:00')])).body.code).toBe('NETWORK_RESTORING');
  });
  await winDraw(t, net, net.user, 1);
  await setTableLine(t, net, 7.99);
  expect((await buy([numberOf('11:00')])).body.code).toBe('GAME_UNAVAILABLE');
  expect(await t.db.query('select from draws where bets_from is not null')).toEqual([]);
});

it('keeps draws with tickets from being closed', async () => {
  await buy([numberOf('11:00')]);
  const adminId = net.admin._id;
  const { id } = (await t.ok(listClosures, { params: { adminId } }, net.admin)).data[0]!;
  const close = (from: string, to: string) =>
    t.call(
      setClosures,
      { params: { adminId }, body: { updates: [{ id, days: [], hours: [{ from, to }] }] } },
      net.admin,
    );
  const { body } = await close('10:30', '12:00');
  expect(body).toMatchObject({ code: 'CLOSED_WITH_TICKETS' });
  expect(body.message).toContain('06 Nov 2026, 11:00');
  expect((await close('11:30', '13:00')).body).toMatchObject({ success: true });
});

it('buys weekly draws over a clock change, which keep their clock time and are in every list', async () => {
  await t.close();
  t = await TestApp.start({ timeZone: 'America/Havana' });
  t.clock.set(new Date('2026-10-12T16:00:00Z'));
  net = await t.network({ credit: 30, games: [GAME] });
  const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  const plan = {
    name: 'Weekly',
    times: ['20:00'],
    weekdays: [0],
    daysOff: [],
    daysOn: [],
    opensAt: null,
    closesBefore: 0,
  };
  await t.ok(addSchedule, { body: { ...plan, games: [game!.id] } }, net.superadmin);
  await t.finishDraw();
  await signInAgain();
  const sundays = ['1018', '1025', '1101', '1108', '1115', '1122', '1129'].map((day) => Number(`2026${day}2000`));
  const { data } = await t.ok(comingDraws, { query: { gameId: GAME } }, net.user);
  expect(data.map(({ number }) => number)).toEqual(sundays);
  const { body } = await buy(sundays);
  expect(body).toMatchObject({ success: true, walletBalance: 16 });
  const ids = body.tickets.map(({ _id }) => _id).toReversed();

  const kept = await t.db.query<{ stays: string | null }>(
    `select j.stays from (select distinct network_id as id from tickets) n
     cross join lateral judged_transfers(n.id, 'usertransaction', '2026-10-01', '2026-10-14') j`,
  );
  expect(kept).toEqual(Array.from(ids, () => ({ stays: 'undrawn' })));

  for (const drawn of [
    '2026-10-19T00:00:00Z',
    '2026-10-26T00:00:00Z',
    '2026-11-02T01:00:00Z',
    '2026-11-09T01:00:00Z',
  ]) {
    t.clock.set(new Date(Date.parse(drawn) - 1_000));
    await t.app.tick();
    t.clock.set(new Date(drawn));
    await t.app.tick();
  }
  const settled = await t.db.query<{ at: Date }>(
    `select draws_at as at from draws where status = 'settled' and bets_from is not null order by 1`,
  );
  expect(settled.map((draw) => draw.at.toISOString().slice(0, 13))).toEqual([
    '2026-10-19T00',
    '2026-10-26T00',
    '2026-11-02T01',
    '2026-11-09T01',
  ]);
  await signInAgain();
  const period = { startDate: '2026-10-01T04:00:00.000Z', endDate: '2026-12-01T04:59:59.999Z' };
  for (const query of [{}, { gameId: GAME }]) {
    expect((await t.ok(playerTickets, { query }, net.user)).data.map(({ _id }) => _id)).toEqual(ids);
    const rows = (await t.ok(betList.route, { query: { ...query, ...period } }, net.admin)).data;
    expect(rows.map(({ _id }) => _id)).toEqual(ids);
  }
  const over: string[] = [];
  for (const status of ['won', 'lost'] as const)
    over.push(...(await t.ok(playerTickets, { query: { status } }, net.user)).data.map(({ _id }) => _id));
  expect(over.toSorted()).toEqual(ids.slice(3).toSorted());
  expect((await t.ok(playerTickets, { query: { status: 'open' } }, net.user)).data.map(({ _id }) => _id)).toEqual(
    ids.slice(0, 3),
  );
  await t.expectBooksToBalanceNow();
});
