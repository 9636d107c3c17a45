import { userCount } from '@drawhouse/contract/accounts/account-children';
import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import * as activity from '@drawhouse/contract/activity/activity';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { session } from '@drawhouse/contract/auth/auth';
import { gameList } from '@drawhouse/contract/games/game-catalogue';
import * as games from '@drawhouse/contract/games/games';
import { livePairs } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { playerState } from '@drawhouse/contract/draws/draws';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import * as reports from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyUrlOf, nameOf, ROUTES, UNKNOWN_ID } from '../../test/routes/contract-routes.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

type Relation = 'self' | 'child' | 'grandchild' | 'parent' | 'sibling' | 'nephew' | 'stranger';

const GAME = 'funtargetbingo';

let t: TestApp;
let net: Network;
let other: Network;
const siblings: Partial<Record<Role, SignedIn>> = {};
const nephews: Partial<Record<Role, SignedIn>> = {};

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
  other = await t.network({ credit: 0 });
  await t.give(net.superadmin, net.superadmin, 100_000);
  for (const role of ROLES.slice(1)) {
    for (const each of [net, other]) await t.give(net.superadmin, each[role], 1000);
    const parent = net[ROLES[ROLES.indexOf(role) - 1]!];
    siblings[role] = await t.create(parent, { role, games: role === 'admin' ? [GAME] : undefined });
    if (role !== 'user') nephews[role] = await t.create(siblings[role]);
  }
  await t.app.tick();
});
afterAll(() => t.close());

function targetOf(caller: Role, relation: Relation): SignedIn | undefined {
  const index = ROLES.indexOf(caller);
  switch (relation) {
    case 'self':
      return net[caller];
    case 'child':
      return net[ROLES[index + 1]!];
    case 'grandchild':
      return net[ROLES[index + 2]!];
    case 'parent':
      return net[ROLES[index - 1]!];
    case 'sibling':
      return siblings[caller];
    case 'nephew':
      return nephews[caller];
    case 'stranger':
      return caller === 'superadmin' ? undefined : other[ROLES[index + 1] ?? 'user'];
  }
}

let nextNumber = 0;
const OPERATIONS = {
  get: (by: SignedIn, target: SignedIn) => t.send('GET', `/api/${ROLE_PREFIX[target.role]}/${target._id}`, by),
  userauth: (by: SignedIn, target: SignedIn) => t.send('GET', `/api/auth/userauth/${target._id}`, by),
  createBelow: (by: SignedIn, target: SignedIn) => {
    const body = {
      username: `made-${++nextNumber}`,
      password: PASSWORD,
      commission: 0,
      note: 'add notes',
      refId: target._id,
    };
    return t.send('POST', `/api/${ROLE_PREFIX[roleBelow(target.role) ?? 'user']}/create`, by, body);
  },
  deactivate: (by: SignedIn, target: SignedIn) =>
    t.send('PATCH', `/api/${ROLE_PREFIX[target.role]}/toggle-status/${target._id}/deactivate`, by),
  activate: (by: SignedIn, target: SignedIn) =>
    t.send('PATCH', `/api/${ROLE_PREFIX[target.role]}/toggle-status/${target._id}/activate`, by),
  give: (by: SignedIn, target: SignedIn) => {
    const body = { toUserId: target._id, transferAmount: 5, password: PASSWORD };
    return t.send('POST', `/api/${ROLE_PREFIX[target.role]}/credit-transfer`, by, body);
  },
  takeBack: (by: SignedIn, target: SignedIn) => {
    const body = { toUserId: target._id, adjustAmount: 5, password: PASSWORD, transactionType: 'debit' };
    return t.send('POST', `/api/${ROLE_PREFIX[target.role]}/credit-adjust`, by, body);
  },
  turnover: (by: SignedIn, target: SignedIn) => {
    const range = 'startDate=2026-03-01T00:00:00.000Z&endDate=2026-03-31T00:00:00.000Z';
    return t.send('GET', `/api/reports/turn?id=${target._id}&${range}`, by);
  },
};
type Operation = keyof typeof OPERATIONS;
const RELATIONS = ['self', 'child', 'grandchild', 'parent', 'sibling', 'nephew', 'stranger'] as const;

/** Expected status. 404: target outside the caller's subtree. 403: role not permitted. Dash: no such account. */
const EXPECTED: [Role, Operation, (number | '-')[]][] = [
  // self child grand parent sibling nephew stranger
  ['superadmin', 'get', [200, 200, 200, '-', '-', '-', '-']],
  ['superadmin', 'userauth', [200, 200, 200, '-', '-', '-', '-']],
  ['superadmin', 'createBelow', [201, 201, 201, '-', '-', '-', '-']],
  ['superadmin', 'give', [403, 200, 200, '-', '-', '-', '-']],
  ['superadmin', 'takeBack', [200, 200, 200, '-', '-', '-', '-']],
  ['superadmin', 'turnover', [200, 200, 200, '-', '-', '-', '-']],
  ['superadmin', 'activate', [404, 200, 200, '-', '-', '-', '-']],

  ['admin', 'get', [200, 200, 200, 404, 404, 404, 404]],
  ['admin', 'userauth', [200, 200, 200, 404, 404, 404, 404]],
  ['admin', 'createBelow', [201, 201, 201, 403, 404, 404, 404]],
  ['admin', 'give', [403, 200, 200, 403, 403, 404, 404]],
  ['admin', 'takeBack', [403, 200, 200, 403, 403, 404, 404]],
  ['admin', 'turnover', [200, 200, 200, 404, 404, 404, 404]],
  ['admin', 'activate', [403, 200, 200, 403, 403, 404, 404]],

  ['distributor', 'get', [200, 200, 200, 404, 404, 404, 404]],
  ['distributor', 'userauth', [200, 200, 200, 404, 404, 404, 404]],
  ['distributor', 'createBelow', [201, 201, 404, 403, 404, 404, 404]],
  ['distributor', 'give', [403, 200, 200, 403, 403, 404, 404]],
  ['distributor', 'takeBack', [403, 200, 200, 403, 403, 404, 404]],
  ['distributor', 'turnover', [200, 200, 200, 404, 404, 404, 404]],
  ['distributor', 'activate', [403, 200, 200, 403, 403, 404, 404]],

  ['retailer', 'get', [200, 200, '-', 404, 404, 404, 404]],
  ['retailer', 'userauth', [200, 200, '-', 404, 404, 404, 404]],
  ['retailer', 'createBelow', [201, 404, '-', 403, 404, 404, 404]],
  ['retailer', 'give', [403, 200, '-', 403, 403, 404, 404]],
  ['retailer', 'takeBack', [403, 200, '-', 403, 403, 404, 404]],
  ['retailer', 'turnover', [200, 200, '-', 404, 404, 404, 404]],
  ['retailer', 'activate', [403, 200, '-', 403, 403, 404, 404]],

  ['user', 'get', [200, '-', '-', 404, 404, '-', 404]],
  ['user', 'userauth', [200, '-', '-', 404, 404, '-', 404]],
  ['user', 'createBelow', [403, '-', '-', 403, 403, '-', 403]],
  ['user', 'give', [403, '-', '-', 403, 403, '-', 403]],
  ['user', 'takeBack', [403, '-', '-', 403, 403, '-', 403]],
  ['user', 'turnover', [403, '-', '-', 403, 403, '-', 403]],
  ['user', 'activate', [403, '-', '-', 403, 403, '-', 403]],
];

const everything = (): Promise<object[]> =>
  t.db.query(
    `select a.id, a.active, w.kind, w.balance, (select count(*) from accounts) as accounts, (select count(*) from transfers) as transfers,
            (select count(*) from sessions) as sessions, (select count(*) from draws) as draws
     from accounts a join wallets w on w.owner_id = a.id order by a.id, w.id`,
  );

describe('authority between accounts', () => {
  it.each(EXPECTED)('is right for a %s and %s', async (role, operation, expected) => {
    for (const [index, relation] of RELATIONS.entries()) {
      const target = targetOf(role, relation);
      expect(target === undefined, `${relation} is missing`).toBe(expected[index] === '-');
      if (!target) continue;
      const before = await everything();
      const reply = await OPERATIONS[operation](net[role], target);
      expect(reply.status, `${operation} on ${relation}: ${JSON.stringify(reply.body)}`).toBe(expected[index]);
      if (reply.status >= 400) expect(await everything()).toEqual(before);
      if (reply.status === 404) expect(reply.body.message).not.toContain(target.username);
    }
  });

  it.each(ROLES.slice(1))('lets a %s deactivate only accounts below', async (role) => {
    const before = await everything();
    const statuses: number[] = [];
    for (const relation of ['self', 'parent', 'sibling', 'nephew', 'stranger'] as const) {
      const target = targetOf(role, relation);
      if (target) statuses.push((await OPERATIONS.deactivate(net[role], target)).status);
    }
    expect(statuses.length).toBeGreaterThan(2);
    for (const status of statuses) expect([403, 404]).toContain(status);
    expect(await everything()).toEqual(before);
  });

  it('answers the same for missing and foreign accounts', async () => {
    const missing = await OPERATIONS.get(net.distributor, { ...net.retailer, _id: UNKNOWN_ID });
    expect((await OPERATIONS.get(net.distributor, other.retailer)).body).toEqual({
      ...missing.body,
      requestId: expect.any(String),
    });
    expect((await OPERATIONS.get(net.distributor, { ...net.retailer, role: 'user' })).body).toEqual({
      ...missing.body,
      requestId: expect.any(String),
    });
  });

  it('keeps the books balanced', () => t.expectBooksToBalance());
});

describe('lists and counts', () => {
  const idsBelow = (account: SignedIn, role: Role): Promise<{ id: string }[]> =>
    t.db.query('select id from accounts where $1 = any(chain) and role = $2 and (id <> $1 or role = $3) order by id', [
      account._id,
      role,
      'superadmin',
    ]);

  it.each(ROLES.slice(0, -1))('show a %s only its subtree', async (role) => {
    for (const level of ROLES) {
      const { data, total } = await t.ok(accountLists[level].route, { query: {} }, net[role]);
      const expected = (await idsBelow(net[role], level)).map((row) => row.id);
      expect(data.map((row) => row._id).sort()).toEqual(expected);
      expect(total).toBe(expected.length);
    }
  });

  it('do not widen by search, page or another parent', async () => {
    const ids = async (query: Record<string, string>): Promise<string[]> =>
      (await t.ok(accountLists.retailer.route, { query }, net.distributor)).data.map((row) => row._id);
    const own = (await idsBelow(net.distributor, 'retailer')).map((row) => row.id);
    expect(own).toContain(net.retailer._id);
    expect((await ids({ search: 'retailer', pageSize: '500' })).every((id) => own.includes(id))).toBe(true);
    expect(await ids({ search: '%' })).toEqual([]);
    for (const parent of [other.distributor, siblings.distributor!, net.superdistributor])
      expect(await ids({ parentId: parent._id })).toEqual([]);
    expect((await ids({ parentId: net.distributor._id })).sort()).toEqual(own);
  });

  it('count the subtree', async () => {
    const of = async (by: SignedIn) => t.ok(userCount, { query: {} }, by);
    const count = async (role: Role): Promise<number> => (await idsBelow(net.distributor, role)).length;
    const { count: listed, ...counts } = await of(net.distributor);
    expect(listed.map(({ _id }) => _id).sort()).toEqual(
      (await idsBelow(net.distributor, 'user')).map(({ id }) => id).sort(),
    );
    expect(listed).toContainEqual({ _id: net.user._id, username: net.user.username });
    expect(counts).toEqual({
      success: true,
      countUsers: await count('user'),
      countAdmins: 0,
      countSuperDistributors: 0,
      countDistributors: 0,
      countRetailers: await count('retailer'),
    });
    expect(await count('user')).toBeGreaterThan(0);
  });

  it('show the log of others only to accounts above them', async () => {
    const names = async (by: SignedIn): Promise<string[]> =>
      [...new Set((await t.ok(activity.activityLog.route, { query: {} }, by)).data.map((row) => row.username))].sort();
    const below = await t.db.query<{ username: string }>(
      'select distinct a.username from accounts a join activity l on l.account_id = a.id where $1 = any(a.chain) order by 1',
      [net.distributor._id],
    );
    expect(await names(net.distributor)).toEqual(below.map((row) => row.username).sort());
    expect(await names(net.distributor)).toContain(net.user.username);
    expect(await names(net.retailer)).not.toContain(net.distributor.username);
    expect(await names(net.admin)).not.toContain(other.user.username);
  });

  it("start a report's chain at the caller", async () => {
    const query = { id: net.retailer._id, startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T00:00:00.000Z' };
    const { parents } = await t.ok(reports.turnoverReport.route, { query }, net.distributor);
    expect(parents.map((parent) => parent.id)).toEqual([net.distributor._id, net.retailer._id]);
  });

  it('show a network only its own games', async () => {
    const third = await t.create(net.superadmin, { games: ['fruit12'] });
    const { data } = await t.ok(gameList.route, {}, third);
    expect(data.map((game) => game.gameId)).toEqual(['fruit12']);
    const pairs = await t.ok(games.userGames, { params: { id: net.retailer._id } }, net.retailer);
    expect(pairs.users.map((user) => user._id)).toEqual([net.admin._id]);
    const own = await t.ok(games.userGames, { params: { id: net.user._id } }, net.user);
    expect(own.adminGameList.map((pair) => [pair.gameId, pair.adminId])).toEqual([[GAME, net.admin._id]]);
    expect(JSON.stringify(own)).not.toContain(net.admin.username);
    expect(own.users).toEqual([]);
    const all = await t.ok(games.userGames, { params: { id: net.superadmin._id } }, net.superadmin);
    expect(all.users.map((user) => user._id)).toEqual(
      expect.arrayContaining([net.admin._id, other.admin._id, third._id]),
    );
    const key = ({ adminId, gameId }: { adminId: string; gameId: string }) => `${adminId} ${gameId}`;
    const ownPanels = await t.ok(livePairs, {}, net.admin);
    expect(ownPanels.data.map(key)).toEqual([key({ adminId: net.admin._id, gameId: GAME })]);
    const allPanels = await t.ok(livePairs, {}, net.superadmin);
    expect(allPanels.data.map(key)).toEqual(all.adminGameList.map(key));
  });
});

it("gives each admin's game its own stable id", async () => {
  const third = await t.create(net.superadmin, { games: ['fruit12', 'funtargetbingo'] });
  const read = () => t.ok(games.userGames, { params: { id: net.superadmin._id } }, net.superadmin);
  const { adminGameList, games: catalogue } = await read();
  const ids = adminGameList.map((pair) => pair._id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(adminGameList.filter((pair) => pair.adminId === third._id)).toHaveLength(2);
  const others = new Set([...catalogue, ...adminGameList.map((pair) => ({ _id: pair.adminId }))].map(({ _id }) => _id));
  expect(ids.filter((id) => others.has(id))).toEqual([]);
  expect((await read()).adminGameList.map((pair) => pair._id)).toEqual(ids);
});

describe('the live panel', () => {
  const calls = (adminId: string): [string, string, object | undefined][] => [
    ['GET', `/api/live/loadgame?gameId=${GAME}&adminId=${adminId}`, undefined],
    ['GET', `/api/live/frequencies?gameId=${GAME}&adminId=${adminId}`, undefined],
    ['POST', '/api/live/addbalance', { gameId: GAME, adminId, balance: 1 }],
    ['POST', '/api/live/addbalance', { gameId: GAME, adminId, type: 'remove' }],
    ['POST', '/api/live/addresult', { gameId: GAME, adminId, result: '7' }],
    ['POST', '/api/live/generateresult', { gameId: GAME, adminId }],
    ['POST', '/api/live/voiddraw', { gameId: GAME, adminId, reason: 'A trial' }],
  ];

  it("is refused to other networks' admins and to everybody below an admin", async () => {
    const before = await everything();
    const statuses: Record<string, number[]> = {};
    const callers = {
      stranger: other.admin,
      superdistributor: net.superdistributor,
      retailer: net.retailer,
      user: net.user,
    };
    for (const [name, by] of Object.entries(callers)) {
      statuses[name] = [];
      for (const [method, url, body] of calls(net.admin._id))
        statuses[name].push((await t.send(method, url, by, body)).status);
    }
    expect(statuses).toEqual({
      stranger: [404, 404, 404, 404, 404, 404, 404],
      superdistributor: [403, 403, 403, 403, 403, 403, 403],
      retailer: [403, 403, 403, 403, 403, 403, 403],
      user: [403, 403, 403, 403, 403, 403, 403],
    });
    expect(await everything()).toEqual(before);
  });

  it.each(['superdistributor', 'superadmin'] as const)('belongs to an admin, not to a %s', async (role) => {
    for (const [method, url, body] of calls(net[role]._id))
      expect((await t.send(method, url, net.superadmin, body)).status).toBe(404);
  });

  it('is open to the admin and the superadmin', async () => {
    for (const by of [net.admin, net.superadmin]) {
      await t.finishDraw();
      const statuses = [];
      for (const [method, url, body] of calls(net.admin._id))
        statuses.push((await t.send(method, url, by, body)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 409]);
    }
  });

  it.each(['results', 'gettimer', 'nextdrawnew'])('shares app/%s within its network only', async (name) => {
    await t.finishDraw();
    const status = async (by: SignedIn, adminId?: string): Promise<number> =>
      (await t.send('GET', `/api/app/${name}?gameId=${GAME}${adminId ? `&adminId=${adminId}` : ''}`, by)).status;
    for (const by of [net.admin, net.retailer, net.user]) {
      expect(await status(by)).toBe(200);
      expect(await status(by, net.admin._id)).toBe(200);
      expect(await status(by, other.admin._id)).toBe(404);
    }
    expect(await status(net.superadmin, other.admin._id)).toBe(200);
  });
});

describe('a bet', () => {
  it('uses the draw and credit of its own network', async () => {
    await t.finishDraw();
    const { draw } = await t.ok(playerState, { query: { gameId: GAME } }, other.user);
    const refused = await t.bet(net.user, { 7: 1 }, { drawId: draw!._id });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'BETTING_CLOSED', fields: { drawId: expect.any(String) } },
    });
    const { body } = await t.bet(net.user, { 7: 1 });
    expect(body.ticket.drawId).not.toBe(draw!._id);
    const { data } = await t.ok(playerTickets, { query: {} }, other.user);
    expect(data).toEqual([]);
    const panel = await t.ok(loadGame, { query: { gameId: GAME, adminId: other.admin._id } }, other.admin);
    expect(panel.totalsumdata).toBe(0);
  });
});

describe("a client's own id", () => {
  it('is refused if another’s', async () => {
    const by = net.distributor;
    const before = await everything();
    for (const { _id } of [
      net.retailer,
      net.superdistributor,
      siblings.distributor!,
      other.distributor,
      { _id: UNKNOWN_ID },
    ]) {
      const order = { toUserId: net.retailer._id, password: PASSWORD, userId: _id };
      const replies = [
        await t.send('GET', `/api/retailers/all?id=${_id}`, by),
        await t.send('GET', `/api/users/all?id=${_id}&role=superadmin`, by),
        await t.send('GET', `/api/counts/usercount?id=${_id}`, by),
        await t.send('GET', `/api/credit/loadcredit?id=${_id}`, by),
        await t.send('GET', `/api/game/usergames/${_id}`, by),
        await t.send('POST', '/api/retailers/credit-transfer', by, { ...order, transferAmount: 1 }),
        await t.send('POST', '/api/retailers/credit-adjust', by, { ...order, adjustAmount: 1 }),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'IDENTITY_MISMATCH' } });
    }
    expect(await everything()).toEqual(before);
  });

  it('may be the role of the target account', async () => {
    const days = 'startDate=2026-03-01T00:00:00.000Z&endDate=2026-03-31T00:00:00.000Z';
    for (const [role, status] of [
      ['distributor', 200],
      ['retailer', 200],
      ['admin', 403],
      ['user', 403],
    ] as const) {
      const report = `/api/reports/turn?id=${net.retailer._id}&role=${role}&${days}`;
      expect([role, (await t.send('GET', report, net.distributor)).status]).toEqual([role, status]);
    }
    const { _id } = await t.make(net.retailer);
    for (const [role, status] of [
      ['distributor', 200],
      ['user', 200],
      ['retailer', 403],
    ] as const) {
      const logout = `/api/app/logout?id=${_id}&role=${role}`;
      expect([role, (await t.send('GET', logout, net.distributor)).status]).toEqual([role, status]);
    }
  });

  it('is accepted if its own', async () => {
    const by = net.distributor;
    const own = `id=${by._id}&role=distributor`;
    expect((await t.send('GET', `/api/retailers/all?${own}`, by)).status).toBe(200);
    expect((await t.send('GET', `/api/counts/usercount?${own}&currentrole=distributor`, by)).status).toBe(200);
    const body = { toUserId: net.retailer._id, transferAmount: 1, password: PASSWORD, userId: by._id };
    const { user } = await t.ok(session, {}, by);
    for (const authUser of [user, by._id, by.username, { _id: by._id }, {}])
      expect((await t.send('POST', '/api/retailers/credit-transfer', by, { ...body, authUser })).status).toBe(200);
  });
});

describe('allowed roles of a route', () => {
  it('are the only ones served', async () => {
    let refused = 0;
    for (const route of ROUTES) {
      if (typeof route.access === 'string') continue;
      const url = emptyUrlOf(route);
      for (const role of ROLES.filter((each) => !route.access.includes(each))) {
        const reply = await t.send(route.method, url, net[role], route.body && {});
        expect(reply, `${role} and ${nameOf(route)}`).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('limit players to their own calls and public reads', () => {
    const open = ROUTES.filter(({ access }) => typeof access === 'string' || access.includes('user'));
    expect(open.map(nameOf).sort()).toEqual(
      [
        'POST auth/login',
        'GET auth/session',
        'GET auth/logout',
        'POST auth/confirm',
        'POST auth/confirm/options',
        'POST auth/factor',
        'POST auth/factor/options',
        'GET auth/factors',
        'GET auth/notices',
        'POST auth/notices/read',
        'POST auth/invitation',
        'POST auth/invitation/accept',
        'POST auth/factors',
        'POST auth/factors/app',
        'POST auth/factors/passkey',
        'POST auth/factors/passkeys',
        'POST auth/factors/codes',
        'DELETE auth/factors/:number',
        'GET auth/devices',
        'DELETE auth/devices/:deviceId',
        'GET app/coming',
        'POST app/ahead',
        'POST auth/signup',
        'GET auth/sessions',
        'DELETE auth/sessions',
        'DELETE auth/sessions/:sessionId',
        'POST users/chnagepassword',
        'GET fetchUserById',
        'GET auth/userauth/:id',
        'GET credit/loadcredit',
        'GET credit/statement',
        'GET credit/statement/xlsx',
        'GET credit/statement/csv',
        'GET credit/statement/summary',
        'GET game',
        'GET game/xlsx',
        'GET game/csv',
        'GET house',
        'GET images/:hash',
        'GET game/usergames/:id',
        'GET time/timelist',
        'GET time/timelist/xlsx',
        'GET time/timelist/csv',
        'GET fair/draw/:drawId',
        'GET fair/draw/:drawId/paper/:ticketId/:digest',
        'GET fair/ticket/:ticketId',
        'GET fair/seals',
        'POST app/bet',
        'POST app/bets',
        'GET app/bet/:requestId',
        'POST app/claim',
        'POST app/ticket/:ticketId/print',
        'GET app/protection',
        'GET app/protection/history',
        'PUT app/protection/limits/:limit',
        'POST app/protection/limits/:limit/confirm',
        'POST app/protection/limits/:limit/withdraw',
        'POST app/protection/break',
        'POST app/protection/exclusion',
        'POST logs/logUserActivity',
        'GET app/games',
        'GET app/state',
        'GET app/lobby',
        'GET app/favorites',
        'PUT app/favorites',
        'PUT app/pins',
        'DELETE app/favorites/:favoriteId',
        'GET app/tickets',
        'GET app/ticket/:ticketId',
        'GET wall/:key',
        'GET welcome',
        'GET app/results',
        'GET app/gettimer',
        'GET app/nextdrawnew',
        ...Object.values(ROLE_PREFIX).map((prefix) => `GET ${prefix}/:id`),
      ].sort(),
    );
  });

  it('require a session, except sign-in, its second step, invitations, sign-up, landing page, house, walls and draw checks', () => {
    expect(
      ROUTES.filter(({ access }) => access === 'public')
        .map(nameOf)
        .sort(),
    ).toEqual([
      'GET fair/draw/:drawId',
      'GET fair/draw/:drawId/paper/:ticketId/:digest',
      'GET fair/seals',
      'GET house',
      'GET images/:hash',
      'GET wall/:key',
      'GET welcome',
      'POST auth/factor',
      'POST auth/factor/options',
      'POST auth/invitation',
      'POST auth/invitation/accept',
      'POST auth/login',
      'POST auth/signup',
    ]);
  });
});
