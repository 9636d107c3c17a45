import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { onFreshNetworks, type Network, type Reply, type TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const WRONG = 'not the password';

type Answer = Pick<Reply<unknown>, 'status' | 'headers'> & { body: object };

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const attempt = (username: string, password: string, ip = '10.0.0.1'): Promise<Reply<typeof login>> =>
  t.call(login, { body: { username, password } }, { ip });
const codesOf = (replies: readonly Answer[]): (string | number)[] =>
  replies.map(({ status, body }) => (body as { code?: string }).code ?? status);

async function failTimes(times: number, username: string, ip?: string): Promise<void> {
  for (let n = 0; n < times; n++) expect((await attempt(username, WRONG, ip)).status).toBe(401);
}

async function transfer(password: string, ip?: string): Promise<Answer> {
  const body = { toUserId: net.admin._id, transferAmount: 1, password };
  await t.give(net.superadmin, net.superadmin, 1);
  return t.call(accountRoutes.admin.creditTransfer, { body }, { ...net.superadmin, ip });
}

describe('the sign-in throttle', () => {
  it('blocks the sixth attempt of a name from an address with any password', async () => {
    await failTimes(5, net.user.username);
    const sixth = await attempt(net.user.username, PASSWORD);
    expect(sixth).toMatchObject({
      status: 429,
      body: { code: 'THROTTLED' },
      headers: { 'retry-after': '30' },
    });
    expect((await attempt(net.user.username.toUpperCase(), PASSWORD)).status).toBe(429);
  });

  it('resets after its window', async () => {
    const attempts = () => t.db.query("select from attempts where subject like 'nobody-at-all%'");
    await t.call(login, { body: { username: 'nobody-at-all', password: 'wrong one' } });
    expect(await attempts()).toHaveLength(2);
    t.clock.advance(15 * 60_000);
    await t.app.tick();
    expect(await attempts()).toHaveLength(0);
  });

  it('ignores other addresses and names', async () => {
    await failTimes(5, net.user.username);
    expect((await attempt(net.user.username, PASSWORD, '10.0.0.2')).status).toBe(200);
    expect((await attempt(net.retailer.username, PASSWORD)).status).toBe(200);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
  });

  it("trusts the proxy's address, not the client's header", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const headers = { 'x-forwarded-for': `203.0.113.${n}, 10.7.7.7` };
      const body = { username: net.retailer.username, password: WRONG };
      statuses.push((await t.send('POST', '/api/auth/login', {}, body, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('allows one more attempt every 30 seconds, so neighbors cannot lock anyone out', async () => {
    await failTimes(5, net.user.username);
    t.clock.advance(29 * SECOND_MS);
    expect(await attempt(net.user.username, PASSWORD)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    t.clock.advance(SECOND_MS);
    await failTimes(1, net.user.username);
    expect(await attempt(net.user.username, PASSWORD)).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    t.clock.advance(30 * SECOND_MS);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(200);
  });

  it('counts few of 50 wrong passwords for one name against the address', async () => {
    const ip = '10.8.0.1';
    for (let times = 0; times < 50; times++) {
      await attempt('guessed-at', WRONG, ip);
      if (times >= 4) t.clock.advance(15 * SECOND_MS);
    }
    const [count] = await t.db.query<{ failures: number }>(
      "select failures from attempts where scope = 'address' and subject = $1",
      [ip],
    );
    expect(count!.failures).toBe(5);
    const player = await t.make(net.retailer);
    expect((await attempt(player.username, PASSWORD, ip)).status).toBe(200);
  });

  it('restarts counting after a success or its window', async () => {
    await failTimes(4, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(200);
    await failTimes(4, net.user.username);
    t.clock.advance(15 * MINUTE_MS);
    await failTimes(5, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
  });

  it('adds no wait after the clock went back a day, and forgets nothing', async () => {
    await failTimes(3, net.user.username);
    await failTimes(5, net.retailer.username);
    t.clock.advance(-24 * HOUR_MS);
    const last = await attempt(net.retailer.username, PASSWORD);
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
    await failTimes(2, net.user.username);
    expect((await attempt(net.user.username, PASSWORD)).status).toBe(429);
    t.clock.advance(15 * MINUTE_MS);
    for (const { username } of [net.user, net.retailer]) expect((await attempt(username, PASSWORD)).status).toBe(200);
  });

  it('treats unknown names the same', async () => {
    await failTimes(5, 'nobody-else');
    expect((await attempt('nobody-else', PASSWORD)).status).toBe(429);
  });

  it('lets at most five of many concurrent attempts through', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => attempt(net.user.username, WRONG)));
    expect(codesOf(replies).filter((code) => code === 'WRONG_CREDENTIALS')).toHaveLength(5);
    expect(codesOf(replies).filter((code) => code === 'THROTTLED')).toHaveLength(35);
  });

  it('also counts passwords of credit transfers', async () => {
    await t.give(net.superadmin, net.superadmin, 1);
    const replies = [];
    for (let n = 0; n < 6; n++) replies.push(await transfer(WRONG, '10.0.0.3'));
    expect(codesOf(replies)).toEqual([...Array.from({ length: 5 }, () => 'WRONG_PASSWORD'), 'THROTTLED']);
    expect(replies[0]).toMatchObject({ status: 403, body: { fields: { password: 'The password is wrong' } } });
    expect(replies[5]!.headers['retry-after']).toBe('30');
    expect((await transfer(PASSWORD, '10.0.0.3')).status).toBe(429);
    expect((await attempt(net.superadmin.username, PASSWORD, '10.0.0.3')).status).toBe(200);
    expect((await transfer(PASSWORD, '10.0.0.4')).status).toBe(200);
    expect(await t.credit(net.admin)).toBe(1);
  });
});
