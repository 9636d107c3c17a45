import { ownerOf } from '../accounts/authority.ts';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { liveResult } from '@drawhouse/contract/live/live-results';
import { loadGame } from '@drawhouse/contract/live/live';
import { alertThresholds } from '@drawhouse/contract/notices/notice-acts';
import { fairTicket } from '@drawhouse/contract/tickets/tickets';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRefusals } from './refusals.ts';
import type { Services } from '../platform/services.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';

const MINUTE_MS = 60_000;
const GAME = 'funtargetbingo';
const NOBODY = '00000000-0000-7000-8000-000000000000';

let t: TestApp;
let url: string;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 100 });
  other = await t.network({ credit: 100 });
});

interface Row {
  subject: string;
  url: string;
  method: string;
  ip: string;
  detail: { refused: number; since: string; changes: unknown[] };
}

async function refusedTo(account: SignedIn, afterMs = MINUTE_MS): Promise<Row[]> {
  t.clock.advance(afterMs);
  await t.app.tick();
  return t.db.query<Row>(
    `select subject, url, method, ip, detail from activity where account_id = $1 and detail ? 'refused' order by seq`,
    [account._id],
  );
}

const getOf = (account: SignedIn, as: SignedIn): Promise<{ status: number }> =>
  t.call(accountRoutes[account.role].get, { params: { id: account._id } }, as);

describe('refused access', () => {
  it('is logged once a minute in words, within the hash chain', async () => {
    expect(
      (await t.send('GET', '/api/notices/thresholds?token=secret', { ...net.retailer, ip: '203.0.113.9' })).status,
    ).toBe(403);
    expect((await getOf(other.user, net.retailer)).status).toBe(404);
    expect((await getOf(other.user, net.retailer)).status).toBe(404);
    expect(await refusedTo(net.retailer, MINUTE_MS - 1)).toEqual([]);
    expect((await getOf(net.distributor, net.retailer)).status).toBe(404);
    const [row, ...more] = await refusedTo(net.retailer, 1);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      subject: 'Refused 4 times: outside its authority',
      url: '/api/notices/thresholds',
      method: 'GET',
      ip: '203.0.113.9',
      detail: { refused: 4 },
    });
    expect((await t.call(alertThresholds, {}, net.retailer)).status).toBe(403);
    expect((await refusedTo(net.retailer)).map(({ subject }) => subject)).toEqual([
      row!.subject,
      'Refused once: outside its authority',
    ]);
    await t.expectBooksToBalance();
    expect(await refusedTo(net.retailer)).toHaveLength(2);
  });

  it('is visible in Log Activities to accounts above and lists the calls', async () => {
    await getOf(other.user, net.retailer);
    await t.call(alertThresholds, {}, net.retailer);
    await refusedTo(net.retailer);
    const { data } = await t.ok(activityLog.route, { query: {} }, net.distributor);
    expect(data[0]).toMatchObject({
      username: net.retailer.username,
      subject: 'Refused 2 times: outside its authority',
    });
    const entry = await t.ok(logEntry, { params: { id: data[0]!._id } }, net.distributor);
    expect(entry.data.changes).toEqual([
      { what: 'Refused calls', before: null, after: `GET /api/notices/thresholds, GET /api/users/${other.user._id}` },
    ]);
  });

  it('is counted, with its first calls named', async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => t.send('PATCH', `/api/admins/toggle-status/${n}/activate`, net.user)),
    );
    const rows = await refusedTo(net.user);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.detail).toMatchObject({
      refused: 300,
      changes: [
        {
          what: 'First refused calls',
          after: expect.stringMatching(/^(PATCH \/api\/admins\/toggle-status\/\d+\/activate(, )?){5}$/),
        },
      ],
    });
  });

  it("excludes missing ids, one's own and other refusals", async () => {
    const { body } = await t.call(accountRoutes.user.get, { params: { id: NOBODY } }, net.retailer);
    expect(body.code).toBe('NOT_FOUND');
    expect((await t.call(fairTicket, { params: { ticketId: '0ABC-1DEF-2GHJ' } }, net.retailer)).status).toBe(404);
    const gone = await t.make(net.retailer);
    await t.ok(accountRoutes.user.remove, { params: { id: gone._id } }, net.retailer);
    expect((await t.call(accountRoutes.user.get, { params: { id: gone._id } }, net.retailer)).status).toBe(404);
    const wrong = { toUserId: net.user._id, transferAmount: 1, password: 'not the password' };
    expect((await t.send('POST', '/api/users/credit-transfer', net.retailer, wrong)).status).toBe(403);
    expect(await refusedTo(net.retailer)).toEqual([]);
  });

  it('is counted beyond the number of ids checked', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => NOBODY.replace(/00$/, String(n + 10)));
    for (const id of ids) await t.call(accountRoutes.user.get, { params: { id } }, net.retailer);
    expect((await refusedTo(net.retailer)).map(({ detail }) => detail.refused)).toEqual([10]);
  });

  it('is not hidden by other names, and checks are bounded', async () => {
    const numbersOf = (n: number): string[] => Array.from({ length: 19 }, (_, k) => `0ABC-1DEF-${1_000 + 19 * n + k}`);
    const receipt = (name: string, n: number) =>
      t.send(
        'GET',
        `/api/fair/ticket/${name}?${numbersOf(n)
          .map((number, k) => `x${k}=${number}`)
          .join('&')}`,
        net.user,
      );
    for (let n = 0; n < 2; n++) expect((await receipt(numbersOf(9)[n]!, n)).status).toBe(404);
    expect((await refusedTo(net.user)).map(({ detail }) => detail.refused)).toEqual([2]);
    const fewer = (n: number) =>
      t.send(
        'GET',
        `/api/fair/ticket/${numbersOf(n).slice(0, 1)[0]!}?${numbersOf(n)
          .slice(1, 15)
          .map((number, k) => `x${k}=${number}`)
          .join('&')}`,
        net.user,
      );
    for (let n = 0; n < 5; n++) expect((await fewer(n)).status).toBe(404);
    // Three times fifteen names exceed the lookup limit.
    expect((await refusedTo(net.user)).map(({ detail }) => detail.refused)).toEqual([2, 2]);
  });

  it('is detected for foreign draws, tickets and log rows, and ticket numbers', async () => {
    await t.finishDraw();
    const { ticket } = (await t.bet(other.user, { 5: 1 })).body;
    const { ticket: near } = (await t.bet(net.user, { 5: 1 })).body;
    await t.finishDraw();
    const [draw] = await t.db.query<{ id: string }>('select id from draws where network_id = $1', [other.networkId]);
    const [entry] = await t.db.query<{ id: string }>('select id from activity where network_id = $1', [
      other.networkId,
    ]);
    const own = { gameId: GAME, adminId: net.admin._id };
    const askedBy = async (by: SignedIn, calls: (() => Promise<{ status: number }>)[]): Promise<number[]> => {
      for (const call of calls) expect((await call()).status).toBe(404);
      return (await refusedTo(by)).map(({ detail }) => detail.refused);
    };
    const receipt = (name: string, by: SignedIn) => () => t.call(fairTicket, { params: { ticketId: name } }, by);
    expect(
      await askedBy(net.admin, [
        () => t.call(liveResult, { query: { ...own, drawId: draw!.id } }, net.admin),
        () => t.call(logEntry, { params: { id: entry!.id } }, net.admin),
        receipt(ticket._id, net.admin),
        receipt(ticket._id.toUpperCase(), net.admin),
      ]),
    ).toEqual([4]);
    const sibling = await t.create(net.retailer);
    expect(await askedBy(sibling, [receipt(near.ticketId, sibling), receipt(near._id, sibling)])).toEqual([2]);
  });

  it('includes requests over live sockets', async () => {
    const refusalsOf = async (by: SignedIn, pair: object): Promise<string> => {
      const socket = io(url, {
        auth: { token: by.token },
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      });
      const code = new Promise<string>((found) =>
        socket.on('error', (refusal: { code: string }) => found(refusal.code)),
      );
      socket.emit('gameData', pair);
      try {
        return await code;
      } finally {
        socket.disconnect();
      }
    };
    expect(await refusalsOf(net.admin, { gameId: GAME, adminId: other.admin._id })).toBe('NOT_FOUND');
    expect(await refusalsOf(net.admin, { gameId: GAME, adminId: NOBODY })).toBe('NOT_FOUND');
    expect(await refusalsOf(net.user, { gameId: GAME, adminId: net.admin._id })).toBe('NOT_ALLOWED');
    expect(await t.call(loadGame, { query: { gameId: GAME, adminId: other.admin._id } }, net.admin)).toMatchObject({
      status: 404,
    });
    const [row] = await refusedTo(net.admin);
    expect(row).toMatchObject({ url: '/socket.io/gameData', method: 'SOCKET', detail: { refused: 2 } });
    expect(await refusedTo(net.user)).toMatchObject([{ detail: { refused: 1 } }]);
  });

  it('is logged by each server, also when it stops within the minute', async () => {
    const secondServer = await t.beside();
    await t.call(alertThresholds, {}, net.retailer);
    await secondServer.call(alertThresholds, {}, net.retailer);
    await secondServer.close();
    expect(await refusedTo(net.retailer, 0)).toHaveLength(1);
    expect(await refusedTo(net.retailer)).toHaveLength(2);
  });

  it('is kept until it can be logged, with later refusals', async () => {
    let away = true;
    const transaction = <T>(act: Parameters<typeof t.served.transaction<T>>[0]): Promise<T> =>
      away ? Promise.reject(new Error('away')) : t.served.transaction(act);
    const services: Services = { ...t.app.services, db: { ...t.served, transaction } };
    const refusals = createRefusals(services, []);
    const { _id: id, username, role } = net.retailer;
    const actor = ownerOf({ id, username, role, networkId: net.networkId, chain: [] });
    const call = (path: string): void =>
      refusals.note({
        actor,
        code: 'NOT_ALLOWED',
        origin: { url: path, method: 'GET', ip: '' },
        names: [],
      });
    call('/a');
    const failing = refusals.sumUp('all');
    call('/b');
    await expect(failing).rejects.toThrow('away');
    call('/c');
    away = false;
    await refusals.sumUp('all');
    expect(await refusedTo(net.retailer)).toMatchObject([
      { url: '/a', detail: { refused: 3, changes: [{ after: 'GET /a, GET /b, GET /c' }] } },
    ]);
  });
});
