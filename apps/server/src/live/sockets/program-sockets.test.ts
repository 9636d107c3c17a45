import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { apiKeys, changeApiKey, endApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import { playerTickets } from '@drawhouse/contract/tickets/tickets';
import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { httpLimits } from '../../platform/http/limits/http-limits.ts';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import { makeKey, uniqueIdOf } from '../../../test/clients/program-keys.ts';
import { ADDRESS, layBets, programSocket } from '../../../test/clients/program-socket.ts';

let t: TestApp;
let url: string;
let net: Network;
let player: string;
const open: Socket[] = [];

beforeAll(async () => {
  t = await TestApp.start({ limits: { session: httpLimits({}).session } });
  url = await listen(t.app);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 1_000 });
  player = await uniqueIdOf(t, net.user);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const make = (terms?: Partial<ApiKeyTerms>) => makeKey(t, net.admin, terms);
const end = (keyId: string) => t.ok(endApiKey, { params: { keyId } }, net.admin);

async function socketOf(key: string) {
  const socket = await programSocket(url, key);
  open.push(socket);
  return socket;
}

const betOf = (given: object = {}) => ({
  player,
  gameId: 'funtargetbingo',
  requestId: randomUUID(),
  lines: [{ drawno: '7', qty: 1 }],
  ...given,
});
const times = (count: number, given?: object) => Array.from({ length: count }, () => betOf(given));
const laid = async (socket: Socket, bets: unknown): Promise<string[]> => {
  const reply = await layBets(socket, bets);
  return reply.success ? reply.answers.map((each) => (each.success ? 'taken' : each.code)) : [reply.code];
};

it('places tickets for players of its network, 500 per message, counted as use', async () => {
  const elsewhere = await t.network({ credit: 50 });
  const { key, keyId } = await make();
  const socket = await socketOf(key);
  expect(await laid(socket, [betOf(), betOf({ player: await uniqueIdOf(t, elsewhere.user) }), betOf()])).toEqual([
    'taken',
    'NOT_FOUND',
    'taken',
  ]);
  expect(await laid(socket, times(500))).toEqual(Array.from({ length: 500 }, () => 'taken'));
  expect(await t.credit(net.user)).toBe(498);
  expect((await t.ok(playerTickets, { query: {} }, net.user)).total).toBe(502);
  const { data } = await t.ok(apiKeys, {}, net.admin);
  expect(data).toMatchObject([{ _id: keyId, today: { tickets: 502, stake: 502 } }]);
  const rows = await t.db.query('select distinct host(ip) as ip from tickets where account_id = $1', [net.user._id]);
  expect(rows).toEqual([{ ip: ADDRESS }]);
});

it("applies the call's rules: tickets per minute, daily stakes, names, inactive players", async () => {
  const { key } = await make({ ticketsPerMinute: 3 });
  expect(await laid(await socketOf(key), times(5))).toEqual(['taken', 'taken', 'taken', 'THROTTLED', 'THROTTLED']);
  const { key: other } = await make({ stakePerDay: 2 });
  const socket = await socketOf(other);
  expect(await laid(socket, times(3))).toEqual(['taken', 'taken', 'API_KEY_LIMIT']);
  expect(await layBets(socket, times(1, { player: undefined }))).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { 'bets.0.player': expect.any(String) },
  });
  const action = 'deactivate' as const;
  await t.ok(accountRoutes.retailer.toggleStatus, { params: { userId: net.retailer._id, action } }, net.admin);
  expect(await laid(socket, times(1))).toEqual(['ACCOUNT_INACTIVE']);
});

it('only bets: joins, watches and receives nothing', async () => {
  const socket = await socketOf((await make()).key);
  socket.emit('gameData', { gameId: 'funtargetbingo', adminId: net.admin._id });
  socket.emit('watchGames', ['funtargetbingo']);
  socket.emit('bet', betOf(), () => {});
  await expect.poll(() => socket.refused.map(({ code }) => code)).toEqual(Array(3).fill('NOT_ALLOWED'));
  await t.finishDraw();
  expect(await laid(socket, times(1))).toEqual(['taken']);
  expect(socket.received).toEqual([]);
  expect(await t.credit(net.user)).toBe(999);
});

it('loses access when the key ends, also for waiting tickets, and is closed', async () => {
  const { key, keyId } = await make();
  const [socket, waiting] = [await socketOf(key), await socketOf(key)];
  expect(await laid(socket, times(1))).toEqual(['taken']);
  const late = await t.db.transaction(async (tx) => {
    await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
    const answered = laid(waiting, times(2));
    await untilWaiting(t);
    await end(keyId);
    return { answered };
  });
  expect(await late.answered).toEqual(['API_KEY_ENDED', 'API_KEY_ENDED']);
  expect(await laid(socket, times(1))).toEqual(['API_KEY_ENDED']);
  await expect.poll(() => socket.closed.length > 0 && waiting.closed.length > 0).toBeTruthy();
  expect((await socketOf(key)).refused).toMatchObject([{ code: 'API_KEY_ENDED' }]);
  expect(await t.credit(net.user)).toBe(999);
});

it("is limited to the key's addresses, also after they change", async () => {
  const { key, keyId } = await make({ addresses: ['203.0.113.0/24'] });
  const socket = await socketOf(key);
  expect(await laid(socket, times(1))).toEqual(['taken']);
  const addresses = ['198.51.100.7'];
  await t.ok(changeApiKey, { params: { keyId }, body: { name: 'Front', addresses } }, net.admin);
  expect(await laid(socket, times(1))).toEqual(['NOT_ALLOWED']);
  expect((await socketOf(key)).refused).toMatchObject([{ code: 'NOT_ALLOWED' }]);
});
