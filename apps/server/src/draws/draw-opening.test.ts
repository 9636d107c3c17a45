import { createHash } from 'node:crypto';
import { audit } from '../audit/audit.ts';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import { createDrawMachine } from '../settlement/draw-machine.ts';
import { createSeedVault } from './seed/seeds.ts';
import { COMMAND_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { holdLocks } from '../../test/statements/hold-table.ts';
import { WAITING } from '../../test/statements/until-waiting.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100, games: ['funtargetbingo', 'fruit12', 'horse12'] });
});
afterEach(() => t.close());

const running = async (): Promise<number> =>
  (await t.db.query('select from draws where opens_at <= $1 and draws_at > $1', [t.clock.now()])).length;

const states = async (): Promise<Record<string, string[]>> => {
  const rows = await t.db.query<{ game_key: string; states: string[] }>(
    `select game_key, array_agg(d.status::text order by opens_at) as states
     from draws d join games g on g.id = d.game_id group by game_key`,
  );
  return Object.fromEntries(rows.map((row) => [row.game_key, row.states]));
};

it('closes, draws, settles and opens other draws while one is being settled', async () => {
  await t.app.tick();
  const before = await running();
  expect((await t.bet(net.user, { 5: 1 })).status).toBe(201);
  const slow = createDrawMachine(t.app.services, createSeedVault('5a'.repeat(32)), {
    drawPatience: COMMAND_TIMEOUTS,
  });
  const release = await holdLocks(
    t.database.ownerUrl,
    `select from wallets where network_id = $1 and kind = ${WALLET_KINDS.table} for update`,
    [net.networkId],
  );
  t.clock.advance(MINUTE_MS);
  await expect
    .poll(async () => {
      await slow.step();
      return (await t.db.query(WAITING)).length;
    })
    .toBe(1);
  expect(await running()).toBe(before);
  t.clock.advance(MINUTE_MS - 1_000);
  await slow.step();
  expect(await states()).toMatchObject({ fruit12: ['settled', 'closed'], horse12: ['settled', 'closed'] });
  t.clock.advance(1_000);
  await slow.step();
  expect(await running()).toBe(before);
  expect(await states()).toEqual({
    funtargetbingo: ['drawn', 'settled', 'open'],
    fruit12: ['settled', 'settled', 'open'],
    horse12: ['settled', 'settled', 'open'],
  });
  await release();
  await slow.idle();
  expect((await states())['funtargetbingo']).toEqual(['settled', 'settled', 'open']);
  await t.expectBooksToBalance();
});

it('is audited against the logged settings, even if changed ones were put back', async () => {
  await t.finishDraw();
  const ofGame = "game_id = (select id from games where game_key = 'horse12')";
  await t.byHand(`update network_games set win_percentage = 9500 where ${ofGame}`);
  await t.byHand("update games set unit_price = 300 where game_key = 'fruit12'");
  await t.finishDraw();
  await t.byHand(`update network_games set win_percentage = null where ${ofGame}`);
  await t.byHand("update games set unit_price = 100 where game_key = 'fruit12'");
  await t.finishDraw();
  const problems = (await t.served.snapshot(audit)).flatMap((check) => check.problems);
  expect(problems.map((problem) => problem.replace(/draw \S+ of network \d+: /, '')).toSorted()).toEqual([
    expect.stringMatching(/^It was opened with 3 points a unit, .*, but the log says 1 points a unit, /),
    'Its weights do not match the logged win percentage, none.',
  ]);
});

it("settles every other network's draws when one draw fails, and names it", async () => {
  const broken = await t.network({ credit: 100 });
  await t.bet(broken.user, { 1: 1 });
  await t.bet(net.user, { 1: 1 });
  const [draw] = await t.db.query<{ id: string }>('select id from draws where network_id = $1', [broken.networkId]);
  await t.db.query(`alter table draws add constraint no_more check (id <> '${draw!.id}' or result is null) not valid`);

  await expect(t.finishDraw()).rejects.toThrow(draw!.id);
  expect(
    await t.db.query(
      'select distinct network_id = $1 as broken, status from draws where draws_at <= $2 order by broken',
      [broken.networkId, t.clock.now()],
    ),
  ).toEqual([
    { broken: false, status: 'settled' },
    { broken: true, status: 'closed' },
  ]);

  await t.db.query('alter table draws drop constraint no_more');
  await t.app.tick();
  expect(await t.db.query('select status from draws where id = $1', [draw!.id])).toEqual([{ status: 'settled' }]);
  await t.expectBooksToBalance();
});

describe('the opening terms of a draw', () => {
  const openings = async (by: SignedIn): Promise<{ _id: string; subject: string; username: string }[]> =>
    (await t.ok(activityLog.route, { query: { action: 'openings' } }, by)).data;

  it("are logged for its network's operators, separately from people's actions", async () => {
    await t.network({ credit: 0, games: ['funtargetbingo'] });
    const other = await t.network({ credit: 0, games: ['funtargetbingo'] });
    await t.finishDraw();
    const opened = await openings(net.admin);
    expect(opened.map(({ username, subject }) => `${username}: ${subject}`)).toEqual([
      'system: Opened 3 draws',
      'system: Opened 3 draws',
    ]);
    expect((await openings(net.superadmin)).map(({ subject }) => subject).toSorted()).toEqual([
      ...Array<string>(2).fill('Opened 3 draws'),
      ...Array<string>(4).fill('Opened a draw'),
    ]);
    expect(await openings(net.superdistributor)).toEqual([]);
    expect((await openings(other.admin)).map(({ subject }) => subject)).toEqual(['Opened a draw', 'Opened a draw']);
    const params = { id: opened[0]!._id };
    // Follows docs/fairness.md.
    const draws = await t.db.query<Record<'opens_at' | 'closes_at' | 'draws_at', Date> & Record<string, string>>(
      `select d.id, game_key, opens_at, closes_at, draws_at, encode(commitment, 'hex') as commitment, terms_id
       from draws d join games g on g.id = d.game_id where network_id = $1 and d.status = 'open' order by d.id`,
      [net.networkId],
    );
    const hash = (...parts: (string | Buffer)[]): Buffer =>
      parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
    const [first, second, third] = draws.map((draw) =>
      hash(
        Buffer.of(0),
        JSON.stringify([
          draw.id,
          draw.game_key,
          draw.opens_at,
          draw.closes_at,
          draw.draws_at,
          draw.commitment,
          draw.terms_id,
        ]),
      ),
    );
    const root = hash(Buffer.of(1), hash(Buffer.of(1), first!, second!), third!).toString('hex');
    expect((await t.ok(logEntry, { params }, net.admin)).data.changes).toEqual([
      { what: 'Root of the opening records', before: null, after: root },
    ]);
    for (const by of [net.superdistributor, other.admin])
      expect((await t.call(logEntry, { params }, by)).status).toBe(404);
    for (const by of [net.admin, net.superadmin]) {
      const { data } = await t.ok(activityLog.route, {}, by);
      expect(data.filter(({ username }) => username === 'system')).toEqual([]);
    }
    await t.expectBooksToBalance();
  });

  it('apply to draws that two servers open at once', async () => {
    const secondServer = await t.beside();
    for (let minutes = 0; minutes < 5; minutes++) {
      t.clock.advance(MINUTE_MS);
      await Promise.all([t.app.tick(), secondServer.app.tick()]);
    }
    expect(await running()).toBe(3);
    const [rows] = await t.db.query<{ draws: bigint }>(
      "select sum((detail -> 'opened' ->> 'draws')::int) as draws from activity where network_id = $1",
      [net.networkId],
    );
    const [draws] = await t.db.query<{ count: bigint }>('select count(*) from draws where network_id = $1', [
      net.networkId,
    ]);
    expect(rows!.draws).toBe(draws!.count);
    await t.expectBooksToBalance();
    await secondServer.close();
  });
});
