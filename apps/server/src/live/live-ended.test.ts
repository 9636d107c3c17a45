import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { SESSION_IDLE_MS, login as signIn } from '@drawhouse/contract/auth/auth';
import { addLogin, changeLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionIdOf } from '../auth/sessions/sessions.ts';
import { listen, type Network, type SignedIn, type TestApp } from '../../test/harness.ts';
import { statementOf } from '../../test/statements/statement-of.ts';
import { LiveClient } from '../../test/clients/live-client.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { startUnswept } from '../../test/worlds/unswept-app.ts';

const GAME = 'funtargetbingo';
const CUT_LISTENERS =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'drawhouse listener' and " +
  'datname = current_database()';

let t: TestApp;
let url: string;
let net: Network;
let sweep: () => void;
const open: LiveClient[] = [];

beforeAll(async () => {
  ({ t, sweep } = await startUnswept());
  url = await listen(t.app);
});
beforeEach(async () => {
  net = await t.network({ credit: 100, games: [GAME] });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { socket } of open.splice(0)) socket.disconnect();
});
afterAll(() => t.close());

async function panels(): Promise<[admin: LiveClient, superadmin: LiveClient]> {
  const [admin, superadmin] = [net.admin, net.superadmin].map(({ token }) =>
    new LiveClient(url, token).open(net.admin._id, GAME),
  ) as [LiveClient, LiveClient];
  open.push(admin, superadmin);
  await expect.poll(() => admin.panel && superadmin.panel).toBeTruthy();
  return [admin, superadmin];
}

it("a moved account's socket ends with its new ancestors' sessions, not its old ones'", async () => {
  const [stays, moves] = [await t.create(net.retailer), await t.create(net.retailer)];
  const next = await t.create(net.distributor);
  const [left, moved] = [stays, moves].map(({ token }) => new LiveClient(url, token)) as [LiveClient, LiveClient];
  open.push(left, moved);
  await expect.poll(() => left.socket.connected && moved.socket.connected).toBeTruthy();
  await t.ok(accountRoutes.user.update, { params: { id: moves._id }, body: { refId: next._id } }, net.admin);
  const deactivate = ({ _id: userId }: SignedIn) =>
    t.ok(accountRoutes.retailer.toggleStatus, { params: { userId, action: 'deactivate' } }, net.admin);
  await deactivate(net.retailer);
  await expect.poll(() => left.closed).toEqual(['io server disconnect']);
  expect(moved.socket.connected).toBe(true);
  await deactivate(next);
  await expect.poll(() => moved.closed).toEqual(['io server disconnect']);
});

describe("a moved account's socket during the lookup", () => {
  async function move(): Promise<{ socket: LiveClient; to: SignedIn; goOn: () => void }> {
    const [player, to] = [await t.create(net.retailer), await t.create(net.distributor)];
    const socket = new LiveClient(url, player.token);
    open.push(socket);
    await expect.poll(() => socket.socket.connected).toBeTruthy();
    const { promise: released, resolve: goOn } = Promise.withResolvers<void>();
    const query = t.served.query.bind(t.served);
    vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
      const { name, values } = statementOf(...statement);
      if (
        name === 'session-find' &&
        values.some((value) => Buffer.isBuffer(value) && value.toString('hex') === sessionIdOf(player.token))
      )
        await released;
      return query<never>(...statement);
    });
    await t.ok(accountRoutes.user.update, { params: { id: player._id }, body: { refId: to._id } }, net.admin);
    return { socket, to, goOn };
  }
  const deactivate = ({ _id: userId }: SignedIn) =>
    t.ok(accountRoutes.retailer.toggleStatus, { params: { userId, action: 'deactivate' } }, net.admin);

  it("stays when its old ancestors' sessions end", async () => {
    const { socket, goOn } = await move();
    await deactivate(net.retailer);
    goOn();
    // A refusal proves that the connection is alive.
    socket.open(net.admin._id, GAME);
    await expect.poll(() => socket.refusals).toHaveLength(1);
    expect(socket.closed).toEqual([]);
  });

  it("ends with its new ancestors' sessions", async () => {
    const { socket, to, goOn } = await move();
    await deactivate(to);
    expect(socket.closed).toEqual([]);
    goOn();
    await expect.poll(() => socket.closed).toEqual(['io server disconnect']);
  });
});

describe('a socket whose session ended unnoticed', () => {
  it('is closed after its server missed session news, and others are not', async () => {
    const [admin, superadmin] = await panels();
    await t.db.query('delete from sessions where account_id = $1', [net.admin._id]);
    await t.db.query(CUT_LISTENERS);
    await expect.poll(() => admin.closed).toEqual(['io server disconnect']);
    expect(superadmin.socket.connected).toBe(true);
  });

  it('is closed by the next check after expiry, and others are not', async () => {
    const [admin, superadmin] = await panels();
    t.clock.advance(SESSION_IDLE_MS - 60_000);
    const again = await t.signIn(net.superadmin.username);
    const late = new LiveClient(url, again.token).open(net.admin._id, GAME);
    open.push(late);
    await expect.poll(() => late.panel).toBeTruthy();
    t.clock.advance(60_001);
    sweep();
    await expect
      .poll(() => [admin.closed, superadmin.closed])
      .toEqual([['io server disconnect'], ['io server disconnect']]);
    expect(late.socket.connected).toBe(true);
  });
});

const triggers: [string, () => unknown][] = [
  ['its server missed a panel notification', () => t.db.query(CUT_LISTENERS)],
  ['its admin has moved', () => t.app.services.events.emit('accountMoved', { accountId: net.admin._id })],
];
it.each(triggers)('a room is read immediately if %s', async (_name, tell) => {
  let reads = 0;
  const query = t.served.query.bind(t.served);
  vi.spyOn(t.served, 'query').mockImplementation((...statement) => {
    const { name, values } = statementOf(...statement);
    if (name === 'pair-own' && values.includes(net.networkId)) reads++;
    return query<never>(...statement);
  });
  await panels();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  const before = reads;
  await tell();
  await expect.poll(() => reads).toBeGreaterThan(before);
});

describe('a socket of a login', () => {
  const login = { username: '', name: 'Table', role: 'table' as const, password: PASSWORD };

  async function table(
    terms: object = {},
  ): Promise<{ client: LiveClient; change: (terms: object) => Promise<unknown> }> {
    const username = `${net.admin.username}-table`;
    const { number } = (await t.ok(addLogin, { body: { ...login, username, ...terms } }, net.admin)).data;
    const client = new LiveClient(url, (await t.signIn(username)).token).open(net.admin._id, GAME);
    open.push(client);
    await expect.poll(() => client.panel).toBeTruthy();
    const change = (changed: object) => {
      const body = { name: login.name, role: login.role, active: true, ...changed } as never;
      return t.ok(changeLogin, { params: { number: String(number) }, body }, net.admin);
    };
    return { client, change };
  }

  it('leaves the panel when the right to it or the game is taken', async () => {
    const { client, change } = await table();
    await change({ role: 'cashier' });
    await expect.poll(() => client.refusals.length > 0).toBeTruthy();
    await change({});
    client.open(net.admin._id, GAME);
    await expect.poll(() => client.panel).toBeTruthy();
    const before = client.refusals.length;
    await change({ games: [net.admin._id] });
    await expect.poll(() => client.refusals.length > before).toBeTruthy();
  });

  it('closes when its address or hour is no longer allowed, and opens at allowed addresses only', async () => {
    const { client, change } = await table();
    await change({ addresses: ['203.0.113.0/24'] });
    await expect.poll(() => client.closed.length).toBe(1);
    const body = { username: `${net.admin.username}-table`, password: PASSWORD };
    const { token } = await t.ok(signIn, { body }, { ip: '203.0.113.7' });
    const elsewhere = new LiveClient(url, token);
    open.push(elsewhere);
    const refused = new Promise((resolve) => elsewhere.socket.once('connect_error', resolve));
    expect(await refused).toBeInstanceOf(Error);
  });

  it('closes when its hours end', async () => {
    const minute = (by: number) =>
      new Date(t.clock.now().getTime() + by * 60_000 + 330 * 60_000).toISOString().slice(11, 16);
    const { client } = await table({ hours: { from: minute(-5), to: minute(5) } });
    sweep();
    t.clock.advance(6 * 60_000);
    sweep();
    await expect.poll(() => client.closed.length).toBe(1);
  });
});
