import { randomUUID } from 'node:crypto';
import { BETS_MESSAGE_BYTES, SOCKET_MESSAGE_BYTES, type BetsAnswer } from '@drawhouse/contract/live/live';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { BULK_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { describe, expect, it } from 'vitest';
import {
  betBody,
  codeOf,
  creditOf,
  GAME,
  sendBet,
  serveBetSockets,
  type BetSocket,
} from '../../../test/clients/bet-socket.ts';
import type { TestApp, Network, Reply } from '../../../test/harness.ts';

let t: TestApp;
let url: string;
let net: Network;
const socketOf = serveBetSockets((its) => ({ t, url, net } = its));

const bet = (socket: BetSocket, given: unknown) => sendBet(socket, 'bet', given);
const many = (count: number, ticket: () => ReturnType<typeof betBody> = betBody) => ({
  bets: Array.from({ length: count }, () => ticket()),
});

describe('many tickets in one message', () => {
  const wordy = () => betBody(1, randomUUID().padEnd(64, 'x'));
  const ticketOf = (each: object) => ('ticket' in each ? each.ticket : each);
  const ofBytes = (bytes: number): string => {
    const [head, tail] = [`{"bets":[${JSON.stringify(wordy())}],"pad":"`, '"}'];
    return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
  };

  it.each([[['websocket']], [['polling']], [['polling', 'websocket']]])(
    'by %j are at most 500, like in the call',
    async (transports) => {
      const socket = await socketOf(net.user, transports);
      if (transports.length > 1) await expect.poll(() => socket.io.engine.transport.name === 'websocket').toBeTruthy();
      const given = many(BULK_LIMITS.bets, wordy);
      expect(JSON.stringify(given).length).toBeGreaterThan(4 * SOCKET_MESSAGE_BYTES);
      const reply = await sendBet(socket, 'bets', given);
      expect(reply).toMatchObject({ success: true });
      const { answers } = reply as BetsAnswer & { success: true };
      expect(answers.map((each) => each.success)).toEqual(Array.from({ length: 500 }, () => true));
      expect(await creditOf(t, net.user)).toBe(0);
      const called = await t.call(placeBets, { body: given }, net.user);
      expect(called.status).toBe(200);
      expect(called.body.answers.map(ticketOf)).toEqual(answers.map(ticketOf));
      expect(await sendBet(socket, 'bets', many(BULK_LIMITS.bets + 1))).toMatchObject({
        code: 'INVALID_INPUT',
        fields: { bets: expect.any(String) },
      });
    },
  );

  it("may be as large as the call's body; larger messages close the socket", async () => {
    const socket = await socketOf(net.user);
    expect(codeOf(await sendBet(socket, 'bets', JSON.parse(ofBytes(BULK_LIMITS.bytes))))).toBe('taken');
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
    expect(await creditOf(t, net.user)).toBe(498);
  });

  it('have a small limit from anyone but players', async () => {
    const socket = await socketOf(net.admin);
    socket.emit('bets', JSON.parse(ofBytes(SOCKET_MESSAGE_BYTES)), () => {});
    await expect.poll(() => socket.closed.length > 0).toBeTruthy();
  });

  it("are charged to the session's budget by number", async () => {
    const socket = await socketOf(net.user);
    const wrong = many(BULK_LIMITS.bets, () => ({ ...betBody(), gameId: 'nothing' }));
    for (let n = 0; n < 5; n++) expect(await sendBet(socket, 'bets', wrong)).toMatchObject({ success: true });
    expect(await sendBet(socket, 'bets', wrong)).toMatchObject({ code: 'THROTTLED', retryAfter: 1 });
    expect(codeOf(await sendBet(socket, 'bets', many(1)))).toBe('taken');
  });
});

it("a full queue answers with a retry time like the call's Retry-After", async () => {
  const socket = await socketOf(net.user);
  const lines = Array.from({ length: 1_000 }, () => ({ drawno: '7', qty: 1 }));
  const answered: Reply<typeof placeBet>[] = [];
  const large = () => t.call(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines } }, net.user);
  let calls: Promise<unknown>[] = [];
  await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    calls = Array.from({ length: 25 }, async () => answered.push(await large()));
    await expect.poll(() => answered.length >= 5).toBeTruthy();
    for (const reply of answered)
      expect(reply).toMatchObject({ status: 503, body: { code: 'NOT_READY' }, headers: { 'retry-after': '1' } });
    expect(await bet(socket, betBody())).toMatchObject({ success: false, code: 'NOT_READY', retryAfter: 1 });
  });
  await Promise.all(calls);
  expect(codeOf(await bet(socket, betBody()))).toBe('taken');
});
