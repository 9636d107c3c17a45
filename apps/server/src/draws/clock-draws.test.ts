import {
  addSchedule,
  changeSchedule,
  deleteSchedule,
  listClosures,
  setClosures,
  type ScheduleFields,
} from '@drawhouse/contract/games/schedules';
import { getTimer, nextDraw, playerState } from '@drawhouse/contract/draws/draws';
import { dayStart } from '@drawhouse/rules/time/zone-days';
import { afterEach, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../test/harness.ts';
import { eachNth } from '../../test/test-tier.ts';

const MINUTE_MS = 60_000;
const GAME = 'funtargetbingo';
const plan = (times: string[], more: Partial<ScheduleFields> = {}): Omit<ScheduleFields, 'games'> => ({
  name: 'House',
  times,
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  daysOff: [],
  daysOn: [],
  opensAt: null,
  closesBefore: 0,
  ...more,
});
const HOURLY = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

let t: TestApp;
let beside: TestApp[] = [];
let net: Network;

async function start(timeZone: string, at: string, more = 0): Promise<void> {
  t = await TestApp.start({ timeZone });
  t.clock.set(new Date(at));
  for (let nth = 0; nth < more; nth++) beside.push(await t.beside());
  net = await t.network({ credit: 1_000, games: [GAME] });
}
afterEach(async () => {
  for (const other of beside) await other.close();
  beside = [];
  await t.close();
});

async function give(fields: Omit<ScheduleFields, 'games'>): Promise<string> {
  const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  const { data } = await t.ok(addSchedule, { body: { ...fields, games: [game!.id] } }, net.superadmin);
  return data._id;
}

/** Runs all servers at each draw time, and every half hour without one, up to an instant. Returns the bets taken. */
async function playUntil(end: Date, bets: 'bets' | 'no bets' = 'no bets'): Promise<number> {
  let taken = 0;
  while (t.clock.now() < end) {
    const [draw] = await t.db.query<{ at: Date | null }>(`select min(draws_at) as at from draws where status = 'open'`);
    if (draw?.at && bets === 'bets') {
      net.user = await t.signIn(net.user.username);
      const server = [t, ...beside][taken % (1 + beside.length)]!;
      if ((await server.bet(net.user, { 5: 1 })).status === 201) taken += 1;
    }
    const next = draw?.at ?? new Date(t.clock.now().getTime() + 30 * MINUTE_MS);
    t.clock.set(next < end ? next : end);
    await Promise.all([t, ...beside].map(({ app }) => app.tick()));
  }
  // Sessions end meanwhile.
  const [superadmin, admin, user] = await Promise.all(
    [net.superadmin, net.admin, net.user].map(({ username }) => t.signIn(username)),
  );
  net = { ...net, superadmin: superadmin!, admin: admin!, user: user! };
  return taken;
}

interface PlayedDraw {
  readonly at: string;
  readonly number: bigint | null;
  readonly late: string;
}

/** Sorted as in the schedule, by wall-clock time. */
async function drawn(timeZone: string): Promise<readonly PlayedDraw[]> {
  return t.db.query(
    `select to_char(draws_at at time zone $1, 'MM-DD HH24:MI') as at, clock_number as number, (finished_at - draws_at)::text as late
     from draws where status = 'settled' and clock_number is not null order by draws_at`,
    [timeZone],
  );
}

const HOUSES = [
  {
    what: 'in India at 13:00, 19:00 and 21:00 except Sundays',
    timeZone: 'Asia/Kolkata',
    days: ['2026-11-06', '2026-11-10'],
    schedule: plan(['13:00', '19:00', '21:00'], { weekdays: [1, 2, 3, 4, 5, 6] }),
    expected: ['06', '07', '09'].flatMap((day) => ['13', '19', '21'].map((hour) => `11-${day} ${hour}:00`)),
  },
  {
    what: 'in India every hour',
    timeZone: 'Asia/Kolkata',
    days: ['2026-11-06', '2026-11-07'],
    schedule: plan(HOURLY),
    expected: HOURLY.slice(1).map((clock) => `11-06 ${clock}`),
  },
  {
    what: 'in Havana over the night of 1 November, which has its first hour twice',
    timeZone: 'America/Havana',
    days: ['2026-10-31', '2026-11-02'],
    schedule: plan(['00:00', '00:30', '13:00', '23:30']),
    expected: ['10-31 00:30', '10-31 13:00', '10-31 23:30', '11-01 00:00', '11-01 00:30', '11-01 13:00', '11-01 23:30'],
  },
  {
    what: 'in Beirut over the night without midnight',
    timeZone: 'Asia/Beirut',
    days: ['2026-03-28', '2026-03-30'],
    schedule: plan(['00:00', '00:30', '01:00', '13:00', '23:30']),
    expected: ['03-28 00:30', '03-28 01:00', '03-28 13:00', '03-28 23:30', '03-29 01:00', '03-29 13:00', '03-29 23:30'],
  },
];

describe('a house', () => {
  it.each(eachNth(4, HOUSES))(
    '$what has every draw once and at its time, on three servers',
    async ({ timeZone, days, schedule, expected }) => {
      const [first, last] = days.map((day) => dayStart(day, timeZone));
      await start(timeZone, new Date(first!.getTime()).toISOString(), 2);
      await give(schedule);
      const taken = await playUntil(new Date(last!.getTime() - MINUTE_MS), 'bets');
      const draws = await drawn(timeZone);
      const tickets = await t.db.query<{ status: string }>(
        `select d.status from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id`,
      );
      expect(tickets).toHaveLength(taken);
      // One before the schedule began. The last draw is still open.
      expect(tickets.filter(({ status }) => status === 'settled')).toHaveLength(draws.length + 1);
      expect(draws.map(({ at }) => at)).toEqual(expected);
      expect(draws.filter(({ late }) => late !== '00:00:00')).toEqual([]);
      const year = days[0]!.slice(0, 4);
      expect(draws.map(({ number }) => String(number))).toEqual(expected.map((at) => year + at.replaceAll(/\D/g, '')));
      await t.expectBooksToBalanceNow();
    },
  );
});

describe('a schedule', () => {
  const at = (clock: string): Date => new Date(`2026-11-06T${clock}Z`);
  const state = () => t.ok(playerState, { query: { gameId: GAME } }, net.user);
  const timer = () => t.ok(getTimer, { query: { gameId: GAME } }, net.user);

  it('starts after the running draw, takes bets from its opening time, and names the draw', async () => {
    await start('UTC', '2026-11-06T08:00:10Z');
    await give(plan(['13:00', '19:00'], { opensAt: '09:00', closesBefore: 10 }));
    expect((await state()).draw).toMatchObject({ drawsAt: at('08:01:00').toISOString() });
    await playUntil(at('08:30:00'));
    expect(await state()).toMatchObject({ draw: null, nextOpensAt: at('09:00:00').toISOString() });
    expect((await t.bet(net.user, { 5: 1 })).body).toMatchObject({ success: false });
    expect(await timer()).toMatchObject({ time: 4.5 * 3600, format: 'minutes', drawsAt: at('13:00:00').toISOString() });
    const next = await t.ok(nextDraw, { query: { gameId: GAME } }, net.user);
    expect(next.nextrdraw).toEqual([
      {
        draw_id: '202611061300',
        timeopen: '09:00:00 AM',
        timeclose: '12:50:00',
        ampm: 'PM',
        opensAt: at('09:00:00').toISOString(),
        closesAt: at('12:50:00').toISOString(),
        drawsAt: at('13:00:00').toISOString(),
      },
    ]);
    await playUntil(at('09:00:00'));
    expect((await state()).draw).toMatchObject({ number: 202611061300, opensAt: at('09:00:00').toISOString() });
    expect((await t.bet(net.user, { 5: 1 })).body).toMatchObject({ success: true });
    await playUntil(at('12:50:00'));
    expect((await t.bet(net.user, { 5: 1 })).body).toMatchObject({ success: false });
    await playUntil(at('13:00:00'));
    expect((await state()).results[0]).toMatchObject({ number: 202611061300, drawsAt: at('13:00:00').toISOString() });
    await t.expectBooksToBalance();
  });

  it('keeps the running draw when it changes, and is kept while games use it', async () => {
    await start('UTC', '2026-11-06T08:00:10Z');
    const id = await give(plan(['09:00', '13:00', '19:00']));
    await playUntil(at('08:30:00'));
    const running = (await state()).draw;
    expect(running).toMatchObject({ number: 202611060900 });
    const { data } = await t.ok(
      changeSchedule,
      {
        params: { id },
        body: { ...plan(['08:45', '09:00', '09:30']), games: await gameIds() },
      },
      net.superadmin,
    );
    expect(data.times).toEqual(['08:45', '09:00', '09:30']);
    expect((await state()).draw).toEqual(running);
    await playUntil(at('09:30:00'));
    expect((await drawn('UTC')).map((draw) => draw.at)).toEqual(['11-06 09:00', '11-06 09:30']);
    const refused = await t.call(deleteSchedule, { params: { id } }, net.superadmin);
    expect(refused.body).toMatchObject({ code: 'SCHEDULE_IN_USE' });
    await t.ok(changeSchedule, { params: { id }, body: { ...plan(['23:00']), games: [] } }, net.superadmin);
    await t.ok(deleteSchedule, { params: { id } }, net.superadmin);
    const end = new Date((await state()).draw!.drawsAt);
    await playUntil(end);
    expect((await state()).draw).toMatchObject({ number: end.getTime() / MINUTE_MS, opensAt: end.toISOString() });
    await t.expectBooksToBalance();
  });

  const gameIds = async () =>
    (await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME])).map((game) => game.id);
});

describe('closed days and hours', () => {
  it("leave out draws of an admin's game, by the interval too, and say when betting opens", async () => {
    await start('Asia/Kolkata', '2026-11-06T18:29:10Z');
    const { data } = await t.ok(listClosures, { params: { adminId: net.admin._id } }, net.admin);
    const body = { updates: [{ id: data[0]!.id, days: [], hours: [{ from: '00:00', to: '09:00' }] }] };
    await t.ok(setClosures, { params: { adminId: net.admin._id }, body }, net.admin);
    const state = () => t.ok(playerState, { query: { gameId: GAME } }, net.user);
    // It was open when the hours were set: 23:59 to midnight.
    expect((await state()).draw).toMatchObject({ drawsAt: '2026-11-06T18:30:00.000Z' });
    await playUntil(new Date('2026-11-06T18:45:00Z'));
    // 09:00 in India.
    expect(await state()).toMatchObject({ draw: null, nextOpensAt: '2026-11-07T03:29:00.000Z' });
    await playUntil(new Date('2026-11-07T03:29:00Z'));
    expect((await state()).draw).toMatchObject({ drawsAt: '2026-11-07T03:30:00.000Z' });
    const other = await t.network({ games: [GAME] });
    const foreign = await t.call(setClosures, { params: { adminId: net.admin._id }, body }, other.admin);
    expect(foreign.body).toMatchObject({ code: 'NOT_FOUND' });
    await t.expectBooksToBalance();
  });
});
