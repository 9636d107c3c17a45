import { fairDraw, voidDraw } from '@drawhouse/contract/draws/draws';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp, type App } from '../compose/app.ts';
import { TestApp, TestClock, type Network } from '../../test/harness.ts';
import { auditAfter } from '../../test/tampering/tampered.ts';

const MINUTE_MS = 60_000;
const GAMES = ['funtargetbingo', 'fruit12', 'horse12'];
const ALL = "select count(*)::int as draws from draws where status in ('open', 'closed', 'drawn') and draws_at <= $1";

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1_000, games: GAMES });
});
afterEach(() => t.close());

function otherServer(clock = new TestClock(), logger = pino({ level: 'silent' })): Promise<App> {
  clock.set(t.clock.now());
  return createApp({
    db: t.served,
    clock,
    seedKey: '5a'.repeat(32),
    timeZone: 'Asia/Kolkata',
    logger,
    trustProxy: true,
    backup: { connectionString: () => t.database.serverUrl, dir: t.backupDir, key: undefined },
    version: 'test',
  });
}
const idOf = async (game: string): Promise<string> => {
  const [draw] = await t.db.query<{ id: string }>(
    'select d.id from draws d join games g on g.id = d.game_id where game_key = $1 order by opens_at desc limit 1',
    [game],
  );
  return draw!.id;
};
const unfinished = async (): Promise<number> => (await t.db.query<{ draws: number }>(ALL, [t.clock.now()]))[0]!.draws;

it('a draw manipulated to be due before its close is not drawn and delays no other', async () => {
  const { networkId } = await t.network({ credit: 100, games: ['lottery3d'] });
  const copy = (game: string, changed: string) =>
    t.db.query(
      `insert into draws (network_id, id, game_id, terms_id, opens_at, commitment, sealed_seed, closes_at, draws_at, status,
       closed_at, ticket_count, ticket_root)
       select $1, id, game_id, terms_id, opens_at, commitment, sealed_seed, ${changed} from draws where id = $2`,
      [networkId, game],
    );
  const [closed, withTickets, open] = await Promise.all(GAMES.map(idOf));
  await copy(closed!, "closes_at, opens_at, 'closed', opens_at, 0, null");
  await copy(withTickets!, "closes_at, opens_at, 'closed', opens_at, 1, sha256('x')");
  await copy(open!, "opens_at, opens_at, 'open', null, null, null");
  const messages: string[] = [];
  const server = await otherServer(
    undefined,
    pino({ level: 'warn' }, { write: (line: string) => messages.push(line) }),
  );
  await server.tick();
  await server.tick();
  const copies = await t.db.query('select id, status, void_cause from draws where network_id = $1 and id = any($2)', [
    networkId,
    [closed, withTickets, open],
  ]);
  expect(copies).toEqual(
    expect.arrayContaining([
      { id: closed, status: 'closed', void_cause: null },
      { id: withTickets, status: 'closed', void_cause: null },
      // A seed sealed for a different close is unreadable, so there is nothing to wait for.
      { id: open, status: 'void', void_cause: 'seed' },
    ]),
  );
  expect(await t.db.query('select id from draws where seed is not null')).toEqual([]);
  expect(messages.filter((line) => line.includes('has a draw time before'))).toHaveLength(2);
  for (const id of [closed, withTickets])
    expect(messages).toContainEqual(
      expect.stringContaining(`draw ${id} of network ${networkId} has a draw time before`),
    );
  await t.db.query('delete from draws where network_id = $1 and id = any($2)', [
    networkId,
    [closed, withTickets, open],
  ]);
  await t.finishDraw();
  const own = await t.db.query('select status, count(*)::int as draws from draws group by status order by status');
  expect(own).toEqual([
    { status: 'open', draws: GAMES.length + 1 },
    { status: 'settled', draws: GAMES.length },
  ]);
});

it('voiding a draw with an unreadable seed names the operator, and the audit accepts the missing seed', async () => {
  await t.bet(net.user, { 5: 3 });
  const drawId = await idOf('funtargetbingo');
  await t.db.query("update draws set sealed_seed = decode(repeat('00', 60), 'hex') where id = $1", [drawId]);
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  await t.ok(voidDraw, { body: { ...pair, reason: 'a test' } }, net.admin);
  expect(await t.ok(fairDraw, { params: { drawId } })).toMatchObject({ seed: null, voidCause: 'operator' });
  await t.expectBooksToBalance();
  expect(await auditAfter(t, "update draws set void_cause = 'wins' where status = 'void'")).toEqual([
    expect.stringMatching(/is void for the cause wins, but the log says operator$/),
  ]);
});

it('periodic work continues while a draw fails', async () => {
  await t.db.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'a test'; end $$`);
  await t.db.query('create trigger fail before update on draws for each row execute function fail()');
  await t.credit(net.user);
  t.clock.advance(MINUTE_MS);
  await t.credit(net.user);
  await expect(t.app.step()).rejects.toThrow('a test');
  const [used] = await t.db.query<{ at: Date }>('select max(last_used_at) as at from sessions');
  expect(used!.at).toEqual(t.clock.now());
});

it('two servers open, close and settle every draw once', async () => {
  const others = [await t.network({ credit: 100, games: GAMES }), await t.network({ credit: 100, games: GAMES })];
  const clock = new TestClock();
  const second = await otherServer(clock);
  for (let step = 0; step < 6; step++) {
    for (const { user } of [net, ...others]) await t.bet(user, { 5: 1 }, { gameId: GAMES[step % 2]! });
    t.clock.advance(30_000);
    clock.set(t.clock.now());
    await Promise.all([t.app.tick(), second.tick()]);
  }
  await t.app.tick();
  const counts = await t.db.query(
    `select status, count(*)::int as draws, count(distinct (network_id, game_id, opens_at))::int as different,
            (count(*) filter (where ticket_count > 0))::int as with_tickets from draws group by status order by status`,
  );
  expect(counts).toEqual([
    { status: 'open', draws: 9, different: 9, with_tickets: 0 },
    { status: 'settled', draws: 27, different: 27, with_tickets: 9 + 9 },
  ]);
  await second.close();
  await t.expectBooksToBalance();
});

it('draws of a pair never overlap and end once, whatever the clocks do', async () => {
  const clock = new TestClock();
  const second = await otherServer(clock);
  const jump = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -10 * MINUTE_MS, max: 0 }) },
    // Stays within a day: a clock hours ahead would roll up the day before late transfers.
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 * MINUTE_MS }) },
  );
  const move = fc.record({ server: fc.constantFrom<0 | 1>(0, 1), byMs: jump, bets: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (moves) => {
      for (const { server, byMs, bets } of moves) {
        (server === 0 ? t.clock : clock).advance(byMs);
        if (bets) await t.bet(net.user, { 5: 1 });
        await (server === 0 ? t.app : second).tick();
      }
      await expectWhole();
    }),
    { numRuns: 6 },
  );
  const [last] = await t.db.query<{ at: Date }>('select max(draws_at) as at from draws');
  t.clock.set(last!.at);
  await t.app.tick();
  expect(await unfinished()).toBe(0);
  await expectWhole();
  await second.close();
  await t.expectBooksToBalance();
});

async function expectWhole(): Promise<void> {
  const wrong = await t.db.query(
    `select d.id, d.status from draws d
     where exists (select from draws o where o.network_id = d.network_id and o.game_id = d.game_id and o.id <> d.id
                     and o.opens_at < d.draws_at and d.opens_at < o.draws_at)
       or exists (select from tickets k where k.network_id = d.network_id and k.draw_id = d.id
                    and (k.placed_at < d.opens_at or k.placed_at >= d.closes_at or k.placed_at >= d.closed_at))
       or d.finished_at < d.closed_at`,
  );
  expect(wrong).toEqual([]);
}
