import {
  accountLog,
  activityLog,
  logEntry,
  logUserActivity,
  olderActivityLog,
  type Activity,
  type Change,
} from '@drawhouse/contract/activity/activity';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changePassword } from '@drawhouse/contract/auth/auth';
import { addGame, changeGame } from '@drawhouse/contract/games/game-catalogue';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { addResult } from '@drawhouse/contract/draws/draws';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { timeList } from '@drawhouse/contract/games/times';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendActivity } from './append-activity.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 1000 });
  other = await t.network({ credit: 0 });
});
afterAll(() => t.close());

const STAFF = ROLES.filter((role): role is Exclude<Role, 'user'> => role !== 'user');
const newest = async (by: SignedIn): Promise<Activity> =>
  (await t.ok(activityLog.route, { query: { pageSize: '1' } }, by)).data[0]!;
async function newestChanges(by: SignedIn): Promise<Change[]> {
  const { _id } = await newest(by);
  return (await t.ok(logEntry, { params: { id: _id } }, by)).data.changes;
}
const all = async (by: SignedIn): Promise<Activity[]> =>
  (await t.ok(activityLog.route, { query: { pageSize: '500' } }, by)).data;

describe('the subject of a log row', () => {
  it("follows from its call and includes exactly that account's actions", async () => {
    const { data } = await t.ok(activityLog.route, { query: { pageSize: '500' } }, net.superadmin);
    for (const [subject, action] of [
      ['Signed in', 'session'],
      ['Created retailer', 'accounts'],
      ['Issued ', 'credit'],
    ] as const) {
      const narrowed = await t.ok(activityLog.route, { query: { action, pageSize: '500' } }, net.superadmin);
      const rows = data.filter((row) => row.subject.startsWith(subject));
      expect([subject, rows.length > 0]).toEqual([subject, true]);
      expect(narrowed.data.map(({ _id }) => _id)).toEqual(expect.arrayContaining(rows.map(({ _id }) => _id)));
    }
    const foreign = { query: { accountId: other.admin._id } };
    expect((await t.ok(activityLog.route, foreign, net.admin)).data).toEqual([]);
  });
});

describe('visibility of log rows', () => {
  it('covers each account and its subtree, never siblings or ancestors, in every call', async () => {
    const sibling = await t.make(net.admin, { role: 'superdistributor' });
    await t.ok(accountRoutes.superdistributor.update, { params: { id: sibling._id }, body: { note: 'x' } }, net.admin);
    const rows = await t.db.query<{ id: string; chain: string[] }>(
      "select id, chain from activity where chain <> '{}'",
    );
    for (const role of STAFF) {
      const own = rows.filter(({ chain }) => chain.includes(net[role]._id));
      const seen = (await all(net[role])).map((row) => row._id);
      expect([role, seen.toSorted()]).toEqual([role, own.map(({ id }) => id).toSorted()]);
      const older = await t.ok(olderActivityLog.route, { query: { pageSize: '500' } }, net[role]);
      expect(older.data.map((row) => row._id)).toEqual(seen);
      for (const { id } of rows)
        expect((await t.call(logEntry, { params: { id } }, net[role])).status).toBe(seen.includes(id) ? 200 : 404);
    }
    expect((await t.call(activityLog.route, { query: {} }, net.user)).status).toBe(403);
  });

  it("shows an account's own actions to itself and its ancestors", async () => {
    for (const role of ROLES)
      for (const by of STAFF) {
        const reply = await t.call(accountLog.route, { params: { userId: net[role]._id }, query: {} }, net[by]);
        const isAbove = ROLES.indexOf(by) <= ROLES.indexOf(role);
        expect(reply.status, `${by} on ${role}`).toBe(isAbove ? 200 : 404);
        if (isAbove) expect(new Set(reply.body.data.map((row) => row.username))).toEqual(new Set([net[role].username]));
      }
    expect((await t.call(accountLog.route, { params: { userId: net.user._id } }, other.admin)).status).toBe(404);
  });

  it("shows system actions to the network's admin, or to superadmins for the root", async () => {
    const entry = { accountId: null, username: 'system', origin: { url: '', method: '', ip: '' } };
    await t.db.transaction(async (tx) => {
      await appendActivity(tx, net.networkId, t.app.services, [{ ...entry, subject: 'Of the network' }]);
      await appendActivity(tx, ROOT_NETWORK, t.app.services, [{ ...entry, subject: 'Of the root' }]);
    });
    const showsSubject = async (by: SignedIn, subject: string): Promise<boolean> =>
      (await all(by)).some((row) => row.subject === subject);
    for (const [by, network, root] of [
      [net.superadmin, true, true],
      [net.admin, true, false],
      [net.superdistributor, false, false],
      [other.admin, false, false],
    ] as const)
      expect([await showsSubject(by, 'Of the network'), await showsSubject(by, 'Of the root')]).toEqual([
        network,
        root,
      ]);
  });

  it('stays with the ancestors at the time when accounts move', async () => {
    const old = await t.make(net.admin, { role: 'superdistributor' });
    const mover = await t.make(net.admin, { role: 'distributor', refId: old._id });
    const [moved, before] = [await t.signIn(mover.username), await t.signIn(old.username)];
    await t.ok(
      accountRoutes.distributor.update,
      { params: { id: mover._id }, body: { refId: net.superdistributor._id } },
      net.admin,
    );
    await t.ok(logUserActivity, { body: { subject: 'After' } }, moved);
    const subjects = async (by: SignedIn): Promise<string[]> =>
      (await all(by)).filter((row) => row.username === mover.username).map((row) => row.subject);
    expect(await subjects(before)).toEqual(['Signed in']);
    expect(await subjects(net.superdistributor)).toEqual(['Noted: After']);
    expect(await subjects(net.admin)).toEqual(['Noted: After', 'Signed in']);
    const ofMover = (by: SignedIn) => t.call(accountLog.route, { params: { userId: mover._id } }, by);
    expect((await ofMover(net.superdistributor)).body.data.map((row) => row.subject)).toEqual(['Noted: After']);
    expect((await ofMover(before)).status).toBe(404);
    await t.expectBooksToBalance();
  });
});

describe('the details of a log row', () => {
  it('show each field of an edit before and after, and only the change of a password', async () => {
    const body = { commission: 3.5, note: 'Gold', dailyLimit: 1500, password: 'a new correct horse' };
    await t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body }, net.admin);
    const of = net.retailer.username;
    expect(await newestChanges(net.admin)).toEqual([
      { what: 'Commission', of, before: '0 %', after: '3.5 %' },
      { what: 'Daily limit', of, before: null, after: '1,500.00' },
      { what: 'Note', of, before: 'add notes', after: 'Gold' },
      { what: 'Password', of, before: null, after: 'Changed' },
    ]);
    net.retailer.token = (await t.signIn(of, body.password)).token;
  });

  it('show both balances of a credit transfer', async () => {
    await t.give(net.superadmin, net.superadmin, 1000);
    await t.give(net.superadmin, net.admin, 250.5);
    expect(await newestChanges(net.superadmin)).toEqual([
      { what: `Credit of ${net.admin.username}`, before: expect.any(String), after: expect.any(String) },
      { what: `Credit of ${net.superadmin.username}`, before: expect.any(String), after: expect.any(String) },
    ]);
    const [into, outOf] = await newestChanges(net.superadmin);
    const number = (text: string | null): number => Number(text!.replaceAll(',', ''));
    expect(number(into!.after) - number(into!.before)).toBe(250.5);
    expect(number(outOf!.after) - number(outOf!.before)).toBe(-250.5);
    expect(number(into!.after)).toBe(await t.credit(net.admin));
  });

  it("name each of several games' limits with its old value", async () => {
    const two = await t.network({ games: ['funtargetbingo', 'titlisorrat'] });
    const params = { adminId: two.admin._id };
    const { data } = await t.ok(listLimits, { params }, two.admin);
    const updates = data.map(({ id }, index) => ({ id, perTicket: 100 * (index + 1) }));
    await t.ok(setLimits, { params, body: { updates } }, two.admin);
    expect((await newest(two.admin)).subject).toBe(`Set limits of 2 games of ${two.admin.username}`);
    expect(await newestChanges(two.admin)).toEqual(
      data.map(({ gameName }, index) => ({
        what: 'Limit per ticket',
        of: `${gameName} of ${two.admin.username}`,
        before: null,
        after: `${index + 1}00.00`,
      })),
    );
  });

  it('show each changed field of a game, and all fields of a new one', async () => {
    const { data: times } = await t.ok(timeList.route, {}, net.superadmin);
    const body = {
      gameName: 'Seven Up',
      description: 'x',
      publisher: 'Drawhouse',
      releaseDate: '2026-03-01',
      nodigit: 7,
      label: 'no' as const,
      timeId: [times[0]!._id],
    };
    const { data: game } = await t.ok(addGame, { body }, net.superadmin);
    expect(await newestChanges(net.superadmin)).toEqual(
      expect.arrayContaining([
        { what: 'Name', before: null, after: 'Seven Up' },
        { what: 'Times', before: null, after: `${times[0]!.timecount} s` },
      ]),
    );
    await t.ok(changeGame, { params: { id: game._id }, body: { unitPrice: 2.5 } }, net.superadmin);
    expect(await newestChanges(net.superadmin)).toEqual([{ what: 'Unit price', before: '1.00', after: '2.50' }]);
  });

  it('show a saved result with the previous one, closed betting, and stakes', async () => {
    await t.bet(net.user, { 7: 3 });
    const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
    await t.ok(addResult, { body: { ...pair, result: '7', boosterValue: 2, color: '', type: '' } }, net.admin);
    expect(await newestChanges(net.admin)).toEqual([
      { what: 'Saved result', before: null, after: '7, booster 2' },
      { what: 'Betting', before: 'Open', after: 'Closed' },
      { what: "Cover from the admin's credit", before: '0.00', after: '51.00' },
      { what: 'Stakes at that moment', before: null, after: '3.00' },
    ]);
    await t.ok(addResult, { body: { ...pair, result: '8', boosterValue: 1, color: '', type: '' } }, net.admin);
    expect((await newestChanges(net.admin))[0]).toEqual({
      what: 'Saved result',
      before: '7, booster 2',
      after: '8, booster 1',
    });
  });

  it("show a deleted account's state and where its credit went", async () => {
    const made = await t.create(net.distributor);
    await t.give(net.superadmin, net.distributor, 5);
    await t.give(net.distributor, made, 5);
    await t.ok(accountRoutes.retailer.remove, { params: { id: made._id } }, net.distributor);
    expect(await newestChanges(net.distributor)).toEqual(
      expect.arrayContaining([
        { what: 'Status', of: made.username, before: 'Active', after: null },
        { what: 'Credit returned', of: net.distributor.username, before: null, after: '5.00' },
      ]),
    );
  });

  it('never include secrets', async () => {
    const npass = 'another correct horse';
    await t.ok(changePassword, { body: { userId: net.user._id, opass: PASSWORD, npass, cpass: npass } }, net.user);
    const refused = { username: net.user.username, password: 'wrong' };
    expect((await t.send('POST', `/api/auth/login?token=${net.admin.token}`, {}, refused)).status).toBe(401);
    const rows = await t.db.query<{ id: string }>('select id from activity');
    const texts = await Promise.all(
      rows.map(async ({ id }) => JSON.stringify((await t.call(logEntry, { params: { id } }, net.superadmin)).body)),
    );
    const stored = (await t.db.query<{ text: string }>('select to_jsonb(l)::text as text from activity l')).map(
      (row) => row.text,
    );
    for (const text of [...texts, ...stored])
      for (const secret of [PASSWORD, npass, 'argon2', net.admin.token]) expect(text).not.toContain(secret);
  });
});

describe('client notes', () => {
  it('are rows of the caller, marked as notes, with the source address', async () => {
    const body = {
      subject: 'Opened the report',
      requestUrl: '/admin/turnoverreport',
      method: 'get',
      ipAddress: '6.6.6.6',
    };
    const { status, body: answer } = await t.call(logUserActivity, { body }, net.admin);
    expect(status).toBe(201);
    expect(answer.data).toEqual(await newest(net.admin));
    expect(answer.data).toMatchObject({
      username: net.admin.username,
      subject: 'Noted: Opened the report',
      requestUrl: '/admin/turnoverreport',
      method: 'GET',
    });
    expect(answer.data.ipAddress).not.toBe('6.6.6.6');
  });

  it('belong to the caller and are rate-limited per network', async () => {
    const foreign = { subject: 'x', userId: other.admin._id };
    expect((await t.call(logUserActivity, { body: foreign }, net.admin)).status).toBe(403);
    const statuses: number[] = [];
    const note = async (subject: string): Promise<number> =>
      (await t.call(logUserActivity, { body: { subject } }, net.user)).status;
    for (let noted = 0; noted < 55; noted++) statuses.push(await note(`Note ${noted}`));
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, more) => note(`At once ${more}`)))));
    expect(statuses.filter((status) => status === 201)).toHaveLength(60);
    expect(await note('One more')).toBe(429);
    t.clock.advance(61_000);
    expect(await note('Later')).toBe(201);
  });
});
