import { activityLog } from '@drawhouse/contract/activity/activity';
import { SESSION_IDLE_MS, SESSION_MAX_MS, listSessions } from '@drawhouse/contract/auth/auth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionIdOf, SESSIONS_MAX } from './sessions.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let t: TestApp;
let net: Network;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
});
afterAll(() => t.close());

async function keptIn(table: 'sessions' | 'replaced_sessions'): Promise<string[]> {
  const rows = await t.db.query<{ id: string }>(
    `select encode(token_hash, 'hex') as id from ${table} where account_id = $1 order by 1`,
    [net.user._id],
  );
  return rows.map(({ id }) => id);
}

async function signedIn(): Promise<number> {
  const by = await t.signIn(net.admin.username);
  const { data } = await t.ok(activityLog.route, { query: { search: 'Signed in', pageSize: '500' } }, by);
  return data.filter(({ username }) => username === net.user.username).length;
}

it('sessions are deleted a day after expiry or displacement; the log keeps them', async () => {
  const first = net.user;
  const sessions: SignedIn[] = [];
  for (let n = 0; n < SESSIONS_MAX; n++) {
    t.clock.advance(1_000);
    sessions.push(await t.signIn(first.username));
  }
  expect(await keptIn('replaced_sessions')).toEqual([sessionIdOf(first.token)]);
  const logged = await signedIn();

  t.clock.advance(DAY_MS + SESSION_IDLE_MS - MINUTE_MS);
  await t.app.tick();
  expect(await keptIn('sessions')).toHaveLength(SESSIONS_MAX);
  t.clock.advance(60 * MINUTE_MS);
  const [used, old] = sessions.map(({ token }) => Buffer.from(sessionIdOf(token), 'hex'));
  const now = t.clock.now();
  await t.db.query('update sessions set created_at = $2, last_used_at = $2 where token_hash = $1', [used, now]);
  await t.db.query('update sessions set last_used_at = $2 where token_hash = $1', [old, now]);
  await t.app.tick();
  const kept = [sessionIdOf(sessions[0]!.token), sessionIdOf(sessions[1]!.token)].sort();
  expect(await keptIn('sessions')).toEqual(kept);
  // Expired sessions are hidden before deletion.
  const { data } = await t.ok(listSessions, {}, sessions[0]);
  expect(data.map(({ _id }) => _id)).toEqual([sessionIdOf(sessions[0]!.token)]);

  t.clock.advance(SESSION_MAX_MS);
  await t.app.tick();
  expect(await keptIn('sessions')).toEqual([sessionIdOf(sessions[0]!.token)]);
  expect(await keptIn('replaced_sessions')).toEqual([]);
  expect(await signedIn()).toBe(logged);
  await t.expectBooksToBalance();
});

it('many sessions are deleted gradually without delaying sign-ins', async () => {
  const at = new Date(t.clock.now().getTime() - 10 * DAY_MS);
  await t.db.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
     select sha256(n::text::bytea), $1, $2, $2, '::1', '' from generate_series(1, 2500) n`,
    [net.retailer._id, at],
  );
  t.clock.advance(60 * MINUTE_MS);
  const left = async (): Promise<number> =>
    (await t.db.query('select from sessions where account_id = $1 and last_used_at = $2', [net.retailer._id, at]))
      .length;
  await t.db.transaction(async (tx) => {
    await tx.query("select from sessions where token_hash = sha256('1') for update");
    for (const expected of [1500, 500, 1]) {
      await t.app.tick();
      expect(await left()).toBe(expected);
    }
  });
  t.clock.advance(60 * MINUTE_MS);
  await t.app.tick();
  expect(await left()).toBe(0);
});
