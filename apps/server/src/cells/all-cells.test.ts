import { userCount } from '@drawhouse/contract/accounts/account-children';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { approvalRules } from '@drawhouse/contract/approvals/approvals';
import type { List } from '@drawhouse/contract/core/list';
import { PERMISSIONS, type Permission } from '@drawhouse/contract/core/permissions';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { statementSummary } from '@drawhouse/contract/credit/statement';
import { gameList } from '@drawhouse/contract/games/game-catalogue';
import { liabilityDays, liabilityReport } from '@drawhouse/contract/liability/liability';
import { addLogin, listLogins, loginSessions } from '@drawhouse/contract/logins/logins';
import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { adminCommission, pendingCommissions } from '@drawhouse/contract/reports/commission';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { find, type Found } from '@drawhouse/contract/reports/find';
import { onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { returnsReport } from '@drawhouse/contract/reports/returns';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { figures, turnoverReport, turnoverSeries } from '@drawhouse/contract/reports/turnover';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Network, SignedIn, TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { TestGroup } from '../../test/worlds/cells.ts';
import { createAskCell, signatureOfAnswer, signatureOfCall, type SignedCall } from './call-cell.ts';

type Cell = Awaited<ReturnType<TestGroup['add']>>;

const request = globalThis.fetch;
let group: TestGroup;
let first: Cell;
let second: Cell;
let here: Network;
let there: Network;
let also: Network;
/** Answers of each cell before the cells are connected. */
const alone: Answer[][] = [];

const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T00:00:00.000Z' };

beforeAll(async () => {
  group = await TestGroup.start();
  first = await group.add('cell-1');
  second = await group.add('cell-2');
  const commissions = { distributor: 2, retailer: 3 };
  here = await first.network({ commissions });
  there = await second.network({ commissions });
  also = await second.network({ commissions });
  for (const [t, net, stakes] of [
    [first, here, { 3: 20, 7: 1 }],
    [second, there, { 3: 50 }],
    [second, also, { 1: 7, 2: 7, 3: 7 }],
  ] as const)
    await t.bet(net.user, stakes);
  for (const t of [first, second]) await t.finishDraw();
  for (const [t, { superadmin }] of [
    [first, here],
    [second, there],
  ] as const) {
    const answers: Answer[] = [];
    for (const list of LISTS) answers.push(await readList(t, list, superadmin));
    alone.push(answers);
  }
});
afterAll(() => group.close());

const DAY_MS = 24 * 3_600_000;
/** Refuses connections. */
const NOWHERE = 'http://127.0.0.1:1';

type Answer = Record<string, unknown> & { total: number; totals?: Record<string, number> };

const ask = async (t: TestApp, route: { path: string }, query: Record<string, string>, by: SignedIn) => {
  const { status, body } = await t.send('GET', `/api/${route.path}?${new URLSearchParams(query).toString()}`, by);
  expect([route.path, status]).toEqual([route.path, 200]);
  return body as unknown as Answer;
};

const LISTS = [
  ...(['admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const).map((role) => accountLists[role]),
  onlinePlayers,
  turnoverReport,
  adminCommission,
  pendingCommissions,
  returnsReport,
  liabilityReport,
  activityLog,
  transactionReport,
  betList,
] as unknown as readonly List[];
const queryOf = (list: List): Record<string, string> => ({
  ...((list as unknown) === returnsReport && PERIOD),
  ...((list as unknown) === onlinePlayers && { show: 'all' }),
});

const rowsOf = (answer: Answer, list: List) => answer[list.rowsKey] as Record<string, unknown>[];
const readList = (t: TestApp, list: List, by: SignedIn): Promise<Answer> =>
  ask(t, list.route, { ...queryOf(list), pageSize: '500' }, by);
const days = async (t: TestApp, by: SignedIn) =>
  (await t.ok(liabilityDays.route, { query: PERIOD }, await t.signIn(by.username))).data;
const withoutCell = ({ cell: _, ...row }: Record<string, unknown>): unknown => row;

it('shows each cell alone while they do not reach each other, naming those that are missing', async () => {
  const { data, missingCells } = await first.ok(accountLists.admin.route, {}, here.superadmin);
  expect(data.map(({ username }) => username)).toEqual([here.admin.username]);
  expect(missingCells).toEqual([
    {
      cell: 'cell-2',
      networks: [there.admin.username, also.admin.username].map((name) => name.toLowerCase()).toSorted(),
    },
  ]);
});

it('lists networks of all cells, each with its cell', async () => {
  await group.connectCells();
  const { data, total, missingCells } = await first.ok(
    accountLists.admin.route,
    { query: { sort: 'username' } },
    here.superadmin,
  );
  expect(missingCells).toBeUndefined();
  expect(total).toBe(3);
  expect(data.map(({ username, cell }) => [username, cell])).toEqual([
    [here.admin.username, { name: 'cell-1', isHere: true }],
    [there.admin.username, { name: 'cell-2', isHere: false }],
    [also.admin.username, { name: 'cell-2', isHere: false }],
  ]);
});

it('gives every list, total and sum of two cells together', async () => {
  for (const [index, list] of LISTS.entries()) {
    const { path } = list.route;
    const both = await readList(first, list, here.superadmin);
    expect([path, both['missingCells']]).toEqual([path, undefined]);
    const [one, other] = [alone[0]![index]!, alone[1]![index]!];
    const rows = (answer: Answer) => rowsOf(answer, list).map((row) => JSON.stringify(withoutCell(row)));
    expect([path, rows(both).toSorted()]).toEqual([path, [...rows(one), ...rows(other)].toSorted()]);
    expect([path, rows(both).length > 1, both.total]).toEqual([path, true, one.total + other.total]);
    for (const name of list.totals)
      expect([path, name, both.totals![name]]).toEqual([
        path,
        name,
        sumPoints([one.totals![name]!, other.totals![name]!]),
      ]);
  }
});

it('pages through the rows of all cells, each once and in order', async () => {
  const paged: unknown[] = [accountLists.admin, turnoverReport, pendingCommissions, activityLog, transactionReport];
  for (const [index, list] of LISTS.entries()) {
    if (!paged.includes(list)) continue;
    const { path } = list.route;
    const whole = rowsOf(await readList(first, list, here.superadmin), list);
    const found: unknown[] = [];
    let place: Record<string, string> = list.paging === 'keyset' ? {} : { page: '1' };
    for (let number = 2; ; number++) {
      const page = await ask(first, list.route, { ...queryOf(list), ...place, pageSize: '4' }, here.superadmin);
      found.push(...rowsOf(page, list));
      if (list.paging === 'keyset' ? page['older'] === null : found.length >= page.total) break;
      place = list.paging === 'keyset' ? { before: page['older'] as string } : { page: String(number) };
    }
    expect([path, found]).toEqual([path, whole]);
    expect([path, found.length]).toEqual([path, alone[0]![index]!.total + alone[1]![index]!.total]);
  }
});

it('writes files with the rows of all cells', async () => {
  const csv = accountLists.user.files[1]!;
  const { body } = await first.send('GET', `/api/${csv.route.path}`, here.superadmin);
  for (const { user } of [here, there, also]) expect(body).toContain(user.username);
});

it('describes a file of all cells as a file of this cell', async () => {
  const url = `/api/${turnoverReport.files[1]!.route.path}?${new URLSearchParams(PERIOD).toString()}`;
  const { headers } = await first.send('GET', url, here.superadmin);
  const about = new URLSearchParams(String(headers['x-about']));
  expect(about.get('Accounts below')).toBe(`${here.superadmin.username} (superadmin)`);
  expect(about.get('Cells')).toBe('cell-1, cell-2');
});

it('finds no file of an account that no cell knows', async () => {
  const url = `/api/${turnoverReport.files[1]!.route.path}?id=${crypto.randomUUID()}`;
  expect((await first.send('GET', url, here.superadmin)).status).toBe(404);
});

it('filters by the superadmin of this cell as a person', async () => {
  const query = { accountId: here.superadmin._id };
  const { data } = await first.ok(activityLog.route, { query }, here.superadmin);
  expect(new Set(data.map(({ username }) => username))).toEqual(new Set([here.superadmin.username]));
  const { body } = await first.send(
    'GET',
    `/api/${activityLog.files[1]!.route.path}?accountId=${query.accountId}`,
    here.superadmin,
  );
  expect(body).not.toContain(there.admin.username);
});

it('lists below the superadmin what is below the superadmins of all cells', async () => {
  const query = { parentId: here.superadmin._id };
  const { total } = await first.ok(accountLists.admin.route, { query }, here.superadmin);
  expect(total).toBe(3);
  expect((await first.ok(accountLists.user.route, { query }, here.superadmin)).total).toBe(0);
});

it('sums the credit of all cells at the end of each day', async () => {
  for (const t of [first, second]) {
    t.clock.advance(DAY_MS);
    await t.app.tick();
  }
  const [one, other] = await Promise.all([days(first, here.admin), days(second, there.admin)]);
  const third = await days(second, also.admin);
  const both = await days(first, await first.signIn(here.superadmin.username));
  expect(both[0]!.inAll).toBeGreaterThan(0);
  expect(both[0]!.inAll).toBe(sumPoints([one[0]!.inAll, other[0]!.inAll, third[0]!.inAll]));
});

it('adds the dashboards and series of all cells', async () => {
  const root = await first.signIn(here.superadmin.username);
  const { data } = await first.ok(turnoverReport.route, { query: PERIOD }, root);
  const play = sumPoints(data.map(({ playPoints }) => playPoints));
  expect(play).toBe(21 + 50 + 21);
  const board = await first.ok(dashboard, {}, root);
  expect(board.yesterday.rest.concat(board.yesterday.hours).map(({ playPoints }) => playPoints)).toContain(play);
  expect(board.counts).toMatchObject({ admin: 3, user: 3 });
  expect(await first.ok(userCount, { query: {} }, root)).toMatchObject({ countAdmins: 3, countUsers: 3 });
  const { accounts } = await first.ok(find, { query: { text: there.user.username } }, root);
  expect(accounts.map(({ username }) => username)).toEqual([there.user.username]);
  const series = await first.ok(turnoverSeries, { query: PERIOD }, root);
  expect(sumPoints(series.data.map(({ playPoints }) => playPoints))).toBe(play);
  const { data: own } = await first.ok(figures, { query: { id: root._id, ...PERIOD } }, root);
  expect(own).toMatchObject({ id: root._id, username: root.username, playPoints: play });
});

it('opens an account of another cell, and says where it is', async () => {
  const root = await first.signIn(here.superadmin.username);
  const { data } = await first.ok(accountRoutes.admin.get, { params: { id: also.admin._id } }, root);
  expect(data).toMatchObject({ username: also.admin.username, cell: { name: 'cell-2', isHere: false } });
  const found = await first.ok(figures, { query: { id: also.admin._id, ...PERIOD } }, root);
  expect(found.data.playPoints).toBe(21);
  const below = await first.ok(turnoverReport.route, { query: { id: also.admin._id } }, root);
  expect(below.parents.map(({ username }) => username)).toEqual([root.username, also.admin.username]);
  expect(below.data.map(({ cell }) => cell!.name)).toEqual(['cell-2']);
  expect((await first.call(accountRoutes.admin.get, { params: { id: crypto.randomUUID() } }, root)).status).toBe(404);
});

it('keeps other cells from admins', async () => {
  const admin = await first.signIn(here.admin.username);
  const { data } = await first.ok(accountLists.user.route, {}, admin);
  expect(data.map(({ cell }) => cell)).toEqual([undefined]);
  const foreign = { params: { id: also.admin._id } };
  expect((await first.call(accountRoutes.admin.get, foreign, admin)).status).toBe(404);
});

it('answers calls that are signed, recent and new, and nothing else', async () => {
  const { port } = second.app.http.server.address() as AddressInfo;
  const [peer] = await first.directory.peers();
  const sent: string[] = [];
  const outgoing = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    sent.push(init!.body as string);
    return request(url, init);
  });
  await first.ok(dashboard, {}, await first.signIn(here.superadmin.username));
  outgoing.mockRestore();
  const send = async (body: unknown): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/cells/read`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  const call = JSON.parse(sent[0]!) as SignedCall;
  const sign = (changed: Partial<SignedCall>, secret = peer!.secret): SignedCall => {
    const all = { ...call, id: crypto.randomUUID(), ...changed };
    return { ...all, signature: signatureOfCall(secret, 'cell-2', all) };
  };
  expect(await send(sign({}))).toBe(200);
  const twice = sign({});
  expect([await send(twice), await send(twice), await send(call)]).toEqual([200, 404, 404]);
  expect(await send(sign({ at: call.at - 61_000 }))).toBe(404);
  expect(await send(sign({ at: call.at + 61_000 }))).toBe(404);
  expect(await send(sign({}, crypto.randomUUID()))).toBe(404);
  expect(await send({ ...sign({}), read: JSON.stringify({ path: accountLists.user.route.path }) })).toBe(404);
  for (const body of [null, [], {}, { ...call, at: 'now' }]) expect(await send(body)).toBe(404);
});

it('lends other cells no right that the login lacks', async () => {
  const [peer] = await first.directory.peers();
  const { clock } = first;
  const askCell = createAskCell({ clock, directory: first.directory });
  const { data } = await second.ok(betList.route, { query: PERIOD }, await second.signIn(also.admin.username));
  const query = { text: data[0]!.ticketId };
  const found = async (permissions: readonly Permission[]): Promise<unknown> =>
    ((await askCell(peer!, { path: find.path, params: {}, query, caller: here.superadmin._id, permissions })) as Found)
      .tickets.length;
  expect([await found(['lists', 'reports']), await found(['lists'])]).toEqual([1, 0]);
});

it('keeps a login limited to some games in its own cell', async () => {
  const root = await first.signIn(here.superadmin.username);
  const { data: games } = await first.ok(gameList.route, { query: {} }, root);
  const terms = {
    name: 'Panel',
    username: 'root.panel',
    role: 'custom' as const,
    permissions: ['lists' as const, 'results' as const],
  };
  await first.ok(addLogin, { body: { ...terms, games: [games[0]!._id], password: PASSWORD } }, root);
  const { data } = await first.ok(accountLists.admin.route, {}, await first.signIn('root.panel'));
  expect(data.map(({ username }) => username)).toEqual([here.admin.username]);
});

it('answers nothing about the superadmin of a cell itself', async () => {
  const [peer] = await first.directory.peers();
  const askCell = createAskCell({ clock: first.clock, directory: first.directory });
  const common = { caller: here.superadmin._id, permissions: PERMISSIONS };
  const askPeer = ({ path }: { path: string }, params: Record<string, string>, query: Record<string, string> = {}) =>
    askCell(peer!, { path, params, query, ...common });
  const { _id } = there.superadmin;
  const refused: (readonly [{ path: string }, Record<string, string>, Record<string, string>?])[] = [
    [loginSessions, { number: '1' }],
    [listLogins, {}],
    [accountRoutes.superadmin.get, { id: _id }],
    [approvalRules, { adminId: _id }],
    [statementSummary, {}, PERIOD],
    [accountOverview, {}, { id: common.caller, ...PERIOD }],
  ];
  for (const [route, ...input] of refused)
    await expect(askPeer(route, ...input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(askPeer(accountOverview, {}, { id: also.admin._id, ...PERIOD })).resolves.toBeDefined();
});

it('names a cell that is down, and its networks', async () => {
  const root = await first.signIn(here.superadmin.username);
  await first.directory.announce(first.served);
  await second.directory.announce(second.served, NOWHERE);
  const missingCells = [{ cell: 'cell-2', networks: [there.admin.username, also.admin.username].toSorted() }];
  for (const list of LISTS) expect(await readList(first, list, root)).toMatchObject({ missingCells });
  expect(await first.ok(dashboard, {}, root)).toMatchObject({ missingCells, counts: { admin: 1 } });
  expect(await first.call(accountRoutes.admin.get, { params: { id: also.admin._id } }, root)).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', message: expect.stringContaining('cell-2') as string },
  });
  const csv = accountLists.user.files[1]!;
  const { headers } = await first.send('GET', `/api/${csv.route.path}`, root);
  expect(new URLSearchParams(String(headers['x-about'])).get('Not included')).toContain('cell-2');
});

it('names a cell whose signed answers are no answers, and takes nothing from them', async () => {
  const root = await first.signIn(here.superadmin.username);
  const [peer] = await first.directory.peers();
  let text = '';
  const outgoing = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const { id } = JSON.parse(init!.body as string) as SignedCall;
    return new Response(text, { headers: { 'cell-signature': signatureOfAnswer(peer!.secret, id, text) } });
  });
  for (const answer of [null, {}, { answer: null }, { answer: {} }, { answer: { data: [{ username: 'x' }] } }]) {
    text = JSON.stringify(answer);
    const { data, missingCells } = await first.ok(accountLists.admin.route, {}, root);
    expect([text, data.length, missingCells?.[0]?.cell]).toEqual([text, 1, 'cell-2']);
    expect(await first.ok(dashboard, {}, root)).toMatchObject({
      counts: { admin: 1 },
      missingCells: [{ cell: 'cell-2' }],
    });
    expect((await first.call(accountRoutes.admin.get, { params: { id: also.admin._id } }, root)).status).toBe(503);
  }
  outgoing.mockRestore();
});
