import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { BetAnswer, LiveEvents } from '@drawhouse/contract/live/live';
import { placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { httpLimits } from '../http/http-limits.ts';
import { listen, TestApp } from '../../test/harness.ts';
import type { Network, Reply, SignedIn } from '../../test/harness.ts';

type BetSocket = Socket<
  Pick<LiveEvents, 'error'>,
  { bet: (body: unknown, answer?: (reply: BetAnswer) => void) => void }
>;

const PATIENCE = { timeout: 10_000 };
const GAME = 'funtargetbingo';

let t: TestApp;
let url: string;
let net: Network;
const open: BetSocket[] = [];

beforeAll(async () => {
  t = await TestApp.start({ limits: { session: httpLimits({}).session } });
  url = await listen(t.app);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 500 });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
  vi.restoreAllMocks();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

async function socketOf(account: SignedIn): Promise<BetSocket & { refused: string[]; closed: string[] }> {
  const socket: BetSocket = io(url, {
    auth: { token: account.token },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': '203.0.113.77' },
  });
  open.push(socket);
  const seen = { refused: [] as string[], closed: [] as string[] };
  socket.on('error', ({ code }) => void seen.refused.push(code));
  socket.on('disconnect', (reason) => void seen.closed.push(reason));
  await vi.waitUntil(() => socket.connected, PATIENCE);
  return Object.assign(socket, seen);
}

const body = (qty = 1, requestId: string = randomUUID()) => ({
  gameId: GAME,
  requestId,
  lines: [{ drawno: '7', qty }],
});
const bet = (socket: BetSocket, given: unknown): Promise<BetAnswer> =>
  new Promise((resolve) => socket.emit('bet', given, resolve));
/** What a player has, whoever it is signed in as. */
const creditOf = async (account: SignedIn): Promise<number> => {
  const [row] = await t.db.query<{ balance: bigint }>('select balance from wallets where owner_id = $1 and kind = 1', [
    account._id,
  ]);
  return Number(row!.balance) / 100;
};
const codeOf = (answer: BetAnswer): string => ('code' in answer ? answer.code : 'taken');

it('takes a bet as a call does, with address and time, and answers a repeat with the first ticket', async () => {
  const socket = await socketOf(net.user);
  const given = body(3);
  const answer = await bet(socket, given);
  expect(answer).toMatchObject({
    success: true,
    message: 'Bet placed.',
    walletBalance: 497,
    ticket: { playpoints: 3 },
  });
  expect(await bet(socket, given)).toEqual(answer);
  const { body: byCall } = await t.call(
    { method: 'POST', path: 'app/bet' } as never,
    { body: given } as never,
    net.user,
  );
  expect(byCall).toEqual(answer);
  expect((await t.ok(playerTickets, { query: {} }, net.user)).total).toBe(1);
  const [row] = await t.db.query<{ ip: string; placed_at: Date }>(
    'select host(ip) as ip, placed_at from tickets where account_id = $1',
    [net.user._id],
  );
  expect(row).toEqual({ ip: '203.0.113.77', placed_at: t.clock.now() });
  expect(await creditOf(net.user)).toBe(497);
});

it('refuses with the codes and fields of the call', async () => {
  const socket = await socketOf(net.user);
  const given = body();
  expect(await bet(socket, body(10_000))).toMatchObject({ success: false, code: 'INSUFFICIENT_CREDIT' });
  expect(await bet(socket, { ...given, gameId: 'nothing' })).toMatchObject({
    code: 'GAME_UNAVAILABLE',
    fields: { gameId: expect.anything() },
  });
  expect(await bet(socket, { ...given, lines: [{ drawno: '77', qty: 1 }] })).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { 'lines.0.drawno': expect.anything() },
  });
  await bet(socket, given);
  expect(codeOf(await bet(socket, { ...given, lines: [{ drawno: '8', qty: 1 }] }))).toBe('IDEMPOTENCY_CONFLICT');
  t.clock.advance(58_000);
  expect(codeOf(await bet(socket, body()))).toBe('BETTING_CLOSED');
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'bet'],
  ['a number', 7],
  ['a list', [[[]]]],
  ['bytes', new Uint8Array(10)],
  ['no lines', { ...body(), lines: [] }],
  ['half a unit', { ...body(), lines: [{ drawno: '7', qty: 0.5 }] }],
  ['a NUL character', { ...body(), gameId: 'a\0b' }],
  ['half a character', { ...body(), requestId: '\ud800' }],
  ['a prototype', JSON.parse('{"__proto__":{"gameId":"x"},"lines":[]}')],
])('refuses %s in place of a bet, and goes on', async (_name, given) => {
  const socket = await socketOf(net.user);
  const answer = await bet(socket, given);
  expect(answer).toMatchObject({ success: false, code: 'INVALID_INPUT' });
  expect(codeOf(await bet(socket, body()))).toBe('taken');
});

it('takes nothing without an acknowledgement', async () => {
  const socket = await socketOf(net.user);
  socket.emit('bet', body());
  socket.emit('bet', body(), 'no function' as never);
  await expect.poll(() => socket.refused, PATIENCE).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
  expect(await creditOf(net.user)).toBe(500);
});

it('is for players alone', async () => {
  const socket = await socketOf(net.admin);
  expect(codeOf(await bet(socket, body()))).toBe('NOT_ALLOWED');
});

it('takes from the budget of the session, and a flood cuts the connection', async () => {
  const socket = await socketOf(net.user);
  const { burst } = httpLimits({}).session;
  const answers = await Promise.all(Array.from({ length: burst + 20 }, () => bet(socket, body())));
  expect(answers.filter((answer) => codeOf(answer) === 'taken')).toHaveLength(burst);
  const throttled = answers.filter((answer) => codeOf(answer) === 'THROTTLED');
  expect(throttled).toHaveLength(20);
  expect(throttled[0]).toMatchObject({ success: false, retryAfter: 1 });
  expect((await t.bet(net.user, { 7: 1 })).body.code).toBe('THROTTLED');
  for (let n = 0; n < 1_000; n++) socket.emit('bet', body(), () => {});
  await vi.waitUntil(() => socket.closed.length > 0, PATIENCE);
  expect(await creditOf(net.user)).toBe(500 - burst);
});

it('beyond what may wait of a player says when to come back, as the call does with Retry-After', async () => {
  const socket = await socketOf(net.user);
  const lines = Array.from({ length: 1_000 }, () => ({ drawno: '7', qty: 1 }));
  const answered: Reply<typeof placeBet>[] = [];
  const large = () => t.call(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines } }, net.user);
  let calls: Promise<unknown>[] = [];
  await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    // Of these 20 have room, and wait for the wallet.
    calls = Array.from({ length: 25 }, async () => answered.push(await large()));
    await vi.waitUntil(() => answered.length >= 5, PATIENCE);
    for (const reply of answered)
      expect(reply).toMatchObject({ status: 503, body: { code: 'NOT_READY' }, headers: { 'retry-after': '1' } });
    expect(await bet(socket, body())).toMatchObject({ success: false, code: 'NOT_READY', retryAfter: 1 });
  });
  await Promise.all(calls);
  expect(codeOf(await bet(socket, body()))).toBe('taken');
});

it('refuses a session that has ended, and closes its socket', async () => {
  const socket = await socketOf(net.user);
  expect(codeOf(await bet(socket, body()))).toBe('taken');
  // Nobody is told of what is done by hand: the batch sees it.
  await t.db.query('delete from sessions where account_id = $1', [net.user._id]);
  expect(codeOf(await bet(socket, body()))).toBe('SESSION_ENDED');
  await vi.waitUntil(() => socket.closed.length > 0, PATIENCE);
  const again = await socketOf(await t.signIn(net.user.username));
  await t.ok(
    accountRoutes.retailer.toggleStatus,
    { params: { userId: net.retailer._id, action: 'deactivate' } },
    net.admin,
  );
  await vi.waitUntil(() => again.closed.length > 0, PATIENCE);
  expect(await creditOf(net.user)).toBe(499);
});

it('is closed by what another server ends', async () => {
  const other = await t.beside();
  const socket = await socketOf(net.user);
  await other.ok(
    accountRoutes.retailer.toggleStatus,
    { params: { userId: net.retailer._id, action: 'deactivate' } },
    net.admin,
  );
  await vi.waitUntil(() => socket.closed.length > 0, PATIENCE);
  await other.close();
});
