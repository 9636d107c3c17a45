import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { BETS_MESSAGE_BYTES, SOCKET_MESSAGE_BYTES } from '@drawhouse/contract/live/live';
import type { BetAnswer, BetsAnswer, LiveEvents } from '@drawhouse/contract/live/live';
import { placeBets } from '@drawhouse/contract/tickets/many-bets';
import { BULK_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpLimits } from '../http/http-limits.ts';
import { listen, TestApp } from '../../test/harness.ts';
import type { Network, Reply, SignedIn } from '../../test/harness.ts';

type BetSocket = Socket<
  Pick<LiveEvents, 'error'>,
  Record<Event, (body: unknown, answer?: (reply: BetAnswer | BetsAnswer) => void) => void>
>;
type Event = 'bet' | 'bets';

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

async function socketOf(
  account: SignedIn,
  transports = ['websocket'],
): Promise<BetSocket & { refused: string[]; closed: string[] }> {
  const socket: BetSocket = io(url, {
    auth: { token: account.token },
    transports,
    reconnection: false,
    forceNew: true,
    extraHeaders: { 'x-forwarded-for': '203.0.113.77' },
  });
  open.push(socket);
  const seen = { refused: [] as string[], closed: [] as string[] };
  socket.on('error', ({ code }) => void seen.refused.push(code));
  socket.on('disconnect', (reason) => void seen.closed.push(reason));
  await expect.poll(() => socket.connected).toBeTruthy();
  return Object.assign(socket, seen);
}

const body = (qty = 1, requestId: string = randomUUID()) => ({
  gameId: GAME,
  requestId,
  lines: [{ drawno: '7', qty }],
});
const send = (socket: BetSocket, event: Event, given: unknown): Promise<BetAnswer | BetsAnswer> =>
  new Promise((resolve, reject) => {
    socket.on('disconnect', reject);
    socket.emit(event, given, resolve);
  });
const bet = (socket: BetSocket, given: unknown) => send(socket, 'bet', given);
/** What an event takes of one ticket. */
const asBody = (event: Event, ticket: unknown): unknown => (event === 'bet' ? ticket : { bets: [ticket] });
/** One ticket, by either event. */
const betBy = (socket: BetSocket, event: Event, ticket: unknown = body()) => send(socket, event, asBody(event, ticket));
const many = (count: number, ticket: () => ReturnType<typeof body> = body) => ({
  bets: Array.from({ length: count }, () => ticket()),
});
/** What a player has, whoever it is signed in as. */
const creditOf = async (account: SignedIn): Promise<number> => {
  const [row] = await t.db.query<{ balance: bigint }>('select balance from wallets where owner_id = $1 and kind = 1', [
    account._id,
  ]);
  return Number(row!.balance) / 100;
};
/** What became of a bet, or of the one of many. */
const codeOf = (answer: BetAnswer | BetsAnswer): string => {
  const each = 'answers' in answer ? answer.answers[0]! : answer;
  return 'code' in each ? each.code : 'taken';
};
const EVENTS: [Event][] = [['bet'], ['bets']];

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

describe.each(EVENTS)('the event %s', (event) => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'bet'],
    ['a number', 7],
    ['a list', [[[]]]],
    ['bytes', new Uint8Array(10)],
    ['no lines', asBody(event, { ...body(), lines: [] })],
    ['half a unit', asBody(event, { ...body(), lines: [{ drawno: '7', qty: 0.5 }] })],
    ['a NUL character', asBody(event, { ...body(), gameId: 'a\0b' })],
    ['half a character', asBody(event, { ...body(), requestId: '\ud800' })],
    ['a prototype', asBody(event, JSON.parse('{"__proto__":{"gameId":"x"},"lines":[]}'))],
  ])('refuses %s in place of a bet, and goes on', async (_name, given) => {
    const socket = await socketOf(net.user);
    expect(await send(socket, event, given)).toMatchObject({ success: false, code: 'INVALID_INPUT' });
    expect(codeOf(await betBy(socket, event))).toBe('taken');
  });

  it('takes nothing without an acknowledgement', async () => {
    const socket = await socketOf(net.user);
    socket.emit(event, asBody(event, body()));
    socket.emit(event, asBody(event, body()), 'no function' as never);
    await expect.poll(() => socket.refused).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
    expect(await creditOf(net.user)).toBe(500);
  });

  it('is for players alone', async () => {
    const socket = await socketOf(net.admin);
    expect(await betBy(socket, event)).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('takes from the budget of the session, and a flood cuts the connection', async () => {
    const socket = await socketOf(net.user);
    const { burst } = httpLimits({}).session;
    const answers = await Promise.all(Array.from({ length: burst + 20 }, () => betBy(socket, event)));
    expect(answers.filter((answer) => codeOf(answer) === 'taken')).toHaveLength(burst);
    const throttled = answers.filter((answer) => codeOf(answer) === 'THROTTLED');
    expect(throttled).toHaveLength(20);
    expect(throttled[0]).toMatchObject({ success: false, retryAfter: 1 });
    expect((await t.bet(net.user, { 7: 1 })).body.code).toBe('THROTTLED');
    for (let n = 0; n < 1_000; n++) socket.emit(event, asBody(event, body()), () => {});
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
    expect(await creditOf(net.user)).toBe(500 - burst);
  });

  it('refuses a session that has ended, and closes its socket', async () => {
    const socket = await socketOf(net.user);
    expect(codeOf(await betBy(socket, event))).toBe('taken');
    // Nobody is told of what is done by hand: the batch sees it.
    await t.db.query('delete from sessions where account_id = $1', [net.user._id]);
    expect(codeOf(await betBy(socket, event))).toBe('SESSION_ENDED');
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
    const again = await socketOf(await t.signIn(net.user.username));
    await t.ok(
      accountRoutes.retailer.toggleStatus,
      { params: { userId: net.retailer._id, action: 'deactivate' } },
      net.admin,
    );
    await expect.poll(() => again.closed.length > 0).toBeTruthy();
    expect(await creditOf(net.user)).toBe(499);
  });
});

describe('many tickets in a message', () => {
  /** A request with the largest id that it may have, so that 500 of them are as large as any. */
  const wordy = () => body(1, randomUUID().padEnd(64, 'x'));
  const ticketOf = (each: object) => ('ticket' in each ? each.ticket : each);
  /** A body that is exactly so large as JSON. */
  const ofBytes = (bytes: number): string => {
    const [head, tail] = [`{"bets":[${JSON.stringify(wordy())}],"pad":"`, '"}'];
    return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
  };

  it.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
    'by %j are 500 at most, as by the call',
    async (transports) => {
      const socket = await socketOf(net.user, transports);
      if (transports.length > 1) await expect.poll(() => socket.io.engine.transport.name === 'websocket').toBeTruthy();
      const given = many(BULK_LIMITS.bets, wordy);
      expect(JSON.stringify(given).length).toBeGreaterThan(4 * SOCKET_MESSAGE_BYTES);
      const reply = await send(socket, 'bets', given);
      expect(reply).toMatchObject({ success: true });
      const { answers } = reply as BetsAnswer & { success: true };
      expect(answers.map((each) => each.success)).toEqual(Array.from({ length: 500 }, () => true));
      expect(await creditOf(net.user)).toBe(0);
      const called = await t.call(placeBets, { body: given }, net.user);
      expect(called.status).toBe(200);
      expect(called.body.answers.map(ticketOf)).toEqual(answers.map(ticketOf));
      expect(await send(socket, 'bets', many(BULK_LIMITS.bets + 1))).toMatchObject({
        code: 'INVALID_INPUT',
        fields: { bets: expect.any(String) },
      });
    },
  );

  it('may be as many bytes as the body of the call, and a larger message closes the socket', async () => {
    const socket = await socketOf(net.user);
    expect(codeOf(await send(socket, 'bets', JSON.parse(ofBytes(BULK_LIMITS.bytes))))).toBe('taken');
    const post = (text: string) =>
      fetch(`${url}/api/app/bets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${net.user.token}`, 'content-type': 'application/json' },
        body: text,
      });
    expect((await post(ofBytes(BULK_LIMITS.bytes))).status).toBe(200);
    expect((await post(ofBytes(BULK_LIMITS.bytes + 1))).status).toBe(413);
    socket.emit('bets', JSON.parse(ofBytes(BETS_MESSAGE_BYTES)), () => {});
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
    expect(await creditOf(net.user)).toBe(498);
  });

  it('are no larger from whoever is no player', async () => {
    const socket = await socketOf(net.admin);
    socket.emit('bets', JSON.parse(ofBytes(SOCKET_MESSAGE_BYTES)), () => {});
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
  });

  it('take more from the budget of the session the more they are', async () => {
    const socket = await socketOf(net.user);
    const wrong = many(BULK_LIMITS.bets, () => ({ ...body(), gameId: 'nothing' }));
    // Each takes 51 of 300 calls.
    for (let n = 0; n < 5; n++) expect(await send(socket, 'bets', wrong)).toMatchObject({ success: true });
    expect(await send(socket, 'bets', wrong)).toMatchObject({ code: 'THROTTLED', retryAfter: 1 });
    expect(codeOf(await send(socket, 'bets', many(1)))).toBe('taken');
  });

  it('are the own of a player: none may name another', async () => {
    const socket = await socketOf(net.user);
    expect(await send(socket, 'bets', { bets: [body(), { ...body(), player: 'U123456' }] })).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { 'bets.1.player': expect.any(String) },
    });
    expect(await creditOf(net.user)).toBe(500);
  });
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
    await expect.poll(() => answered.length >= 5).toBeTruthy();
    for (const reply of answered)
      expect(reply).toMatchObject({ status: 503, body: { code: 'NOT_READY' }, headers: { 'retry-after': '1' } });
    expect(await bet(socket, body())).toMatchObject({ success: false, code: 'NOT_READY', retryAfter: 1 });
  });
  await Promise.all(calls);
  expect(codeOf(await bet(socket, body()))).toBe('taken');
});

it('is closed by what another server ends', async () => {
  const other = await t.beside();
  const socket = await socketOf(net.user);
  await other.ok(
    accountRoutes.retailer.toggleStatus,
    { params: { userId: net.retailer._id, action: 'deactivate' } },
    net.admin,
  );
  await expect.poll(() => socket.closed.length > 0).toBeTruthy();
  await other.close();
});
