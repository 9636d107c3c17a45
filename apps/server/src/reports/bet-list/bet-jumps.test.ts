import { generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { betList, type BetStatus } from '@drawhouse/contract/reports/bet-list';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

/** Above the few-players threshold, in either subtree. */
const PLAYERS = 250;
/** Exceeds the page scan limit between two tickets of the quiet subtree. */
const NOISE = 1_001;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GAMES = ['funtargetbingo', 'lucky10fruit'] as const;
const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-05-31T23:59:59.999Z' };

let t: TestApp;
let net: Network;
let busy: SignedIn;

async function later(ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.app.tick();
  for (const role of ROLES) net[role] = await t.signIn(net[role].username);
  busy = await t.signIn(busy.username);
}

async function bet(gameId: string = GAMES[0], by: SignedIn = net.user): Promise<void> {
  const { status } = await t.bet(by, { 1: 1 }, { gameId });
  if (status !== 201) throw new Error(`A bet on ${gameId} was answered by ${status}.`);
}
const operated = (gameId: string = GAMES[0]) => ({ adminId: net.admin._id, gameId });

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ games: [...GAMES] });
  const cousin = await t.create(await t.create(net.superdistributor));
  busy = await t.create(cousin);
  await t.give(net.superadmin, net.superadmin, 100);
  await t.give(net.superadmin, busy, 100);
  for (const { _id } of [net.user, busy])
    await t.db.query(
      `insert into accounts (id, parent_id, network_id, commission, active, role, username, unique_id, password_hash, note,
       chain, created_at)
       select m.id, a.parent_id, a.network_id, 0, true, a.role, a.username || '-' || m.n, a.username || '-' || m.n, '',
         '', a.chain[:5] || m.id,
              a.created_at
       from accounts a, (select n, gen_random_uuid() as id from generate_series(0, ${PLAYERS} - 1) n) m where a.id = $1`,
      [_id],
    );
  await bet(GAMES[0], busy);
  await bet();
  await t.finishDraw();
  await bet();
  await bet(GAMES[1]);
  await later(6 * 60_000);
  await later(3 * DAY_MS);
  await bet(GAMES[1]);
  await t.finishDraw();
  await bet();
  await t.ok(voidDraw, { body: { ...operated(), reason: 'The wheel was stuck' } }, net.admin);
  await later(5 * DAY_MS);
  await bet();
  await t.ok(generateResult, { body: operated() }, net.admin);
  await t.finishDraw();
  await bet();
  await later(DAY_MS);
  await bet();
  await t.finishDraw();
  await later(9 * DAY_MS);
  await bet();
  await bet(GAMES[1]);
  await makeNoise('t.id, m.draw_id', NOISE, 't.account_id = $1');
});
afterAll(() => t.close());

/** Surrounds tickets `t` of the quiet subtree: time from the first id, draw from the second, other columns from `m`. */
async function makeNoise(idAndDraw: string, count: number, of: string): Promise<void> {
  const [id, draw] = idAndDraw.split(', ');
  await t.db.query(
    `insert into tickets (network_id, id, draw_id, account_id, request, request_hash, lines, stake, digest, placed_at, ip)
     select m.network_id, (substr(${id}::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, ${draw},
       a.id, gen_random_uuid(),
            m.request_hash, m.lines, m.stake, m.digest, m.placed_at, m.ip
     from tickets t, (select * from tickets where account_id = $2 limit 1) m, generate_series(1, ${count}) n
     join accounts a on a.username = $3 || '-' || n % ${PLAYERS} where ${of}`,
    [net.user._id, busy._id, busy.username],
  );
  await t.db.query('analyze');
}

async function ticketsBelow(id: string, narrow: Narrow): Promise<string[]> {
  const rows = await t.db.query<{ id: string; at: number }>(
    `select t.id, ('x' || substr(replace(t.id::text, '-', ''), 1, 12))::bit(48)::bigint::float8 as at
     from tickets t join accounts a on a.id = t.account_id join draws d on d.id = t.draw_id join games g on g.id = d.game_id
     where a.chain @> array[$1]::uuid[] and ($2::text is null or g.game_key = $2)
       and ($3::text is null or $3 = case when d.status = 'void' then 'void' when d.status <> 'settled' then 'open'
         when exists (select from ticket_wins w where w.ticket_id = t.id) then 'won' else 'lost' end)
     order by t.id desc`,
    [id, narrow.gameId ?? null, narrow.status ?? null],
  );
  const { startDate, endDate } = { ...PERIOD, ...narrow };
  return rows.filter(({ at }) => at >= Date.parse(startDate) && at <= Date.parse(endDate)).map((row) => row.id);
}

type Narrow = Partial<Record<'gameId' | 'startDate' | 'endDate' | 'userId', string>> & { status?: BetStatus };

async function pagesOf(by: SignedIn, narrow: Narrow, from: 'newest' | 'oldest', pageSize: number): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: object = from === 'newest' ? {} : { after: '0' }; ;) {
    const query = { ...PERIOD, ...narrow, ...cursor, pageSize: String(pageSize) };
    const page = await t.ok(betList.route, { query }, by);
    const ids = page.data.map((row) => row._id);
    if (from === 'newest') found.push(...ids);
    else found.unshift(...ids);
    const next = from === 'newest' ? page.older : page.newer;
    if (next === null) return found;
    cursor = from === 'newest' ? { before: next } : { after: next };
  }
}

async function expectLists(by: SignedIn, narrows: readonly Narrow[], pageSize: number): Promise<void> {
  for (const narrow of narrows) {
    const expected = await ticketsBelow(by._id, narrow);
    const label = JSON.stringify(narrow);
    for (const from of ['newest', 'oldest'] as const)
      expect(await pagesOf(by, narrow, from, pageSize), `${label} ${from}`).toEqual(expected);
    const { total, totalIsMore } = await t.ok(betList.route, { query: { ...PERIOD, ...narrow } }, by);
    expect([total, totalIsMore], `${label}: how many`).toEqual([expected.length, false]);
    const [, csv] = betList.files;
    const query = new URLSearchParams({ ...PERIOD, ...narrow }).toString();
    const file = await t.send('GET', `/api/${csv!.route.path}?${query}`, by);
    const lines = (file.body as unknown as string).trim().split('\r\n');
    expect(lines.length - 1, `${label}: its file`).toBe(expected.length);
  }
}

it('finds every ticket of an inactive subtree in order, whenever its draw settled', async () => {
  const all = await ticketsBelow(net.retailer._id, {});
  expect(all).toHaveLength(10);
  const [endDate, startDate] = [all[2]!, all[6]!].map((id) => timeOfId(id).toISOString());
  const narrows: Narrow[] = [
    {},
    { gameId: GAMES[0] },
    { gameId: GAMES[1] },
    { status: 'won' },
    { status: 'lost', gameId: GAMES[0] },
    { status: 'open' },
    { status: 'void' },
    { startDate: startDate!, endDate: endDate! },
    { startDate: startDate!, endDate: endDate!, gameId: GAMES[0] },
    { startDate: '2026-03-15T12:00:00.000Z', endDate: '2026-03-17T00:00:00.000Z' },
    { startDate: '2026-05-01T00:00:00.000Z' },
  ];
  await expectLists(net.retailer, narrows, 2);
  await expectLists(net.distributor, narrows, 50);
});

it('finds them among very many unsettled ones', async () => {
  await makeNoise('m.id, t.draw_id', 20_001, 't.id = (select max(id::text)::uuid from tickets where account_id = $1)');
  await expectLists(net.retailer, [{}, { gameId: GAMES[0] }, { status: 'open' }, { status: 'lost' }], 3);
});
