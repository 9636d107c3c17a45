import { randomUUID } from 'node:crypto';
import type { BetAnswer, BetsAnswer, LiveEvents } from '@drawhouse/contract/live/live';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits/http-limits.ts';
import { listen, TestApp, type Network, type SignedIn } from '../harness.ts';

export type BetEvent = 'bet' | 'bets';
export type BetSocket = Socket<
  Pick<LiveEvents, 'error'>,
  Record<BetEvent, (body: unknown, answer?: (reply: BetAnswer | BetsAnswer) => void) => void>
>;

export const GAME = 'funtargetbingo';

interface BetServer {
  readonly t: TestApp;
  readonly url: string;
  readonly net: Network;
}

/** A server for the file, and a network with an open draw for each test. Returns a function that opens sockets. */
export function serveBetSockets(use: (server: BetServer) => void) {
  let t: TestApp;
  let url: string;
  const open: BetSocket[] = [];
  beforeAll(async () => {
    t = await TestApp.start({ limits: { session: httpLimits({}).session } });
    url = await listen(t.app);
  });
  beforeEach(async () => {
    await t.finishDraw();
    use({ t, url, net: await t.network({ credit: 500 }) });
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.disconnect();
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await t.expectBooksToBalance();
    await t.close();
  });
  return async (account: SignedIn, transports?: string[]) => {
    const socket = await openBetSocket(url, account, transports);
    open.push(socket);
    return socket;
  };
}

export async function openBetSocket(
  url: string,
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
  const seen = { refused: [] as string[], closed: [] as string[] };
  socket.on('error', ({ code }) => void seen.refused.push(code));
  socket.on('disconnect', (reason) => void seen.closed.push(reason));
  await expect.poll(() => socket.connected).toBeTruthy();
  return Object.assign(socket, seen);
}

export const betBody = (qty = 1, requestId: string = randomUUID()) => ({
  gameId: GAME,
  requestId,
  lines: [{ drawno: '7', qty }],
});

export function sendBet(socket: BetSocket, event: BetEvent, given: unknown): Promise<BetAnswer | BetsAnswer> {
  return new Promise((resolve, reject) => {
    socket.on('disconnect', reject);
    socket.emit(event, given, resolve);
  });
}

export function codeOf(answer: BetAnswer | BetsAnswer): string {
  const each = 'answers' in answer ? answer.answers[0]! : answer;
  return 'code' in each ? each.code : 'taken';
}

export async function creditOf(t: TestApp, account: SignedIn): Promise<number> {
  const [row] = await t.db.query<{ balance: bigint }>('select balance from wallets where owner_id = $1 and kind = 1', [
    account._id,
  ]);
  return Number(row!.balance) / 100;
}
