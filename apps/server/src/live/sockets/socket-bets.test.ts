import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import { describe, expect, it } from 'vitest';
import { httpLimits } from '../../platform/http/limits/http-limits.ts';
import {
  betBody,
  codeOf,
  creditOf,
  sendBet,
  serveBetSockets,
  type BetEvent,
  type BetSocket,
} from '../../../test/clients/bet-socket.ts';
import type { TestApp, Network } from '../../../test/harness.ts';
import { eachNth } from '../../../test/test-tier.ts';

let t: TestApp;
let net: Network;
const socketOf = serveBetSockets((its) => ({ t, net } = its));

const bet = (socket: BetSocket, given: unknown) => sendBet(socket, 'bet', given);
const asBody = (event: BetEvent, ticket: unknown): unknown => (event === 'bet' ? ticket : { bets: [ticket] });
const betBy = (socket: BetSocket, event: BetEvent, ticket: unknown = betBody()) =>
  sendBet(socket, event, asBody(event, ticket));
const EVENTS: [BetEvent][] = [['bet'], ['bets']];

it('takes a bet as the HTTP call does, with address and time, and answers a repeat with the first ticket', async () => {
  const socket = await socketOf(net.user);
  const given = betBody(3);
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
  expect(await creditOf(t, net.user)).toBe(497);
});

it("refuses with the call's codes and fields", async () => {
  const socket = await socketOf(net.user);
  const given = betBody();
  expect(await bet(socket, betBody(10_000))).toMatchObject({ success: false, code: 'INSUFFICIENT_CREDIT' });
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
  expect(codeOf(await bet(socket, betBody()))).toBe('BETTING_CLOSED');
});

describe.each(EVENTS)('the event %s', (event) => {
  it.each(
    eachNth<[string, unknown]>(6, [
      ['nothing', undefined],
      ['null', null],
      ['a text', 'bet'],
      ['a number', 7],
      ['a list', [[[]]]],
      ['bytes', new Uint8Array(10)],
      ['no lines', asBody(event, { ...betBody(), lines: [] })],
      ['half a unit', asBody(event, { ...betBody(), lines: [{ drawno: '7', qty: 0.5 }] })],
      ['a NUL character', asBody(event, { ...betBody(), gameId: 'a\0b' })],
      ['half a character', asBody(event, { ...betBody(), requestId: '\ud800' })],
      ['a prototype', asBody(event, JSON.parse('{"__proto__":{"gameId":"x"},"lines":[]}'))],
    ]),
  )('refuses %s in place of a bet and continues', async (_name, given) => {
    const socket = await socketOf(net.user);
    expect(await sendBet(socket, event, given)).toMatchObject({ success: false, code: 'INVALID_INPUT' });
    expect(codeOf(await betBy(socket, event))).toBe('taken');
  });

  it('ignores bets without acknowledgment', async () => {
    const socket = await socketOf(net.user);
    socket.emit(event, asBody(event, betBody()));
    socket.emit(event, asBody(event, betBody()), 'no function' as never);
    await expect.poll(() => socket.refused).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
    expect(await creditOf(t, net.user)).toBe(500);
  });

  it('is for players only', async () => {
    const socket = await socketOf(net.admin);
    expect(await betBy(socket, event)).toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it("is charged to the session's budget, and a flood disconnects", async () => {
    const socket = await socketOf(net.user);
    const { burst } = httpLimits({}).session;
    const answers = await Promise.all(Array.from({ length: burst + 20 }, () => betBy(socket, event)));
    expect(answers.filter((answer) => codeOf(answer) === 'taken')).toHaveLength(burst);
    const throttled = answers.filter((answer) => codeOf(answer) === 'THROTTLED');
    expect(throttled).toHaveLength(20);
    expect(throttled[0]).toMatchObject({ success: false, retryAfter: 1 });
    expect((await t.bet(net.user, { 7: 1 })).body.code).toBe('THROTTLED');
    for (let n = 0; n < 1_000; n++) socket.emit(event, asBody(event, betBody()), () => {});
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
    expect(await creditOf(t, net.user)).toBe(500 - burst);
  });

  it('refuses an ended session and closes its socket', async () => {
    const socket = await socketOf(net.user);
    expect(codeOf(await betBy(socket, event))).toBe('taken');
    // Manual changes raise no event; the batch detects it.
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
    expect(await creditOf(t, net.user)).toBe(499);
  });
});

describe('several tickets in one message', () => {
  it('belong to the player: naming another is refused', async () => {
    const socket = await socketOf(net.user);
    expect(await sendBet(socket, 'bets', { bets: [betBody(), { ...betBody(), player: 'U123456' }] })).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { 'bets.1.player': expect.any(String) },
    });
    expect(await creditOf(t, net.user)).toBe(500);
  });
});

it('is closed by events on another server', async () => {
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
