import { randomUUID } from 'node:crypto';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import type { LiveEvents } from '@drawhouse/contract/live/live';
import { placeBets, type BetReply } from '@drawhouse/contract/tickets/bulk-bets';
import { betOfRequest, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { setOwnLimit } from '@drawhouse/contract/players/protection';
import fc from 'fast-check';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { perTier } from '../../test/test-tier.ts';
import { untilWaiting } from '../../test/statements/until-waiting.ts';

const GAMES = ['funtargetbingo', 'fruit12'];

let t: TestApp;
let url: string;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
});
beforeEach(async () => {
  await t.finishDraw();
  net = await t.network({ credit: 100, games: GAMES });
});
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

interface Laid {
  readonly gameId?: string;
  readonly requestId?: string;
  readonly player?: string;
  readonly drawno?: string;
  readonly qty?: number;
}
const betOf = ({ gameId = GAMES[0]!, requestId = randomUUID(), player, drawno = '7', qty = 1 }: Laid) => ({
  gameId,
  requestId,
  ...(player !== undefined && { player }),
  lines: [{ drawno, qty }],
});
const lay = (by: SignedIn | string, ...bets: Laid[]) =>
  t.call(placeBets, { body: { bets: bets.map(betOf) } }, typeof by === 'string' ? { token: by } : by);
const codeOf = (reply: BetReply): string => (reply.success ? 'taken' : reply.code);

describe('many tickets of a player in a single call', () => {
  it('are answered in order, each like a lone bet', async () => {
    const again = randomUUID();
    await t.bet(net.user, { 5: 2 }, { requestId: again });
    const { status, body } = await lay(
      net.user,
      { qty: 3 },
      { gameId: 'nosuchgame' },
      { gameId: 'fruit12', drawno: '12', qty: 5 },
      { drawno: '77' },
      { requestId: again, drawno: '5', qty: 2 },
      { requestId: again, drawno: '5', qty: 3 },
      { qty: 91 },
      { qty: 90 },
    );
    expect(status).toBe(200);
    expect(body.answers.map(codeOf)).toEqual([
      'taken',
      'GAME_UNAVAILABLE',
      'taken',
      'INVALID_INPUT',
      'taken',
      'IDEMPOTENCY_CONFLICT',
      'INSUFFICIENT_CREDIT',
      'taken',
    ]);
    expect(body.answers[0]).toMatchObject({ walletBalance: 95, ticket: { playpoints: 3, gameId: GAMES[0] } });
    expect(body.answers[3]).toMatchObject({ fields: { 'lines.0.drawno': expect.any(String) } });
    expect(body.answers[4]).toMatchObject({ ticket: { playpoints: 2 } });
    expect(body.answers[7]).toMatchObject({ walletBalance: 0 });
    expect(await t.credit(net.user)).toBe(0);
    expect((await t.ok(playerTickets, { query: {} }, net.user)).total).toBe(4);
  });

  it('answer a second identical request with the first ticket', async () => {
    const requestId = randomUUID();
    const { body } = await lay(net.user, { requestId, qty: 2 }, { requestId, qty: 2 }, { requestId, qty: 1 }, {});
    expect(body.answers.map(codeOf)).toEqual(['taken', 'taken', 'IDEMPOTENCY_CONFLICT', 'taken']);
    const [first, second] = body.answers;
    expect(second).toMatchObject({ ticket: (first as { ticket: unknown }).ticket });
    expect(await t.credit(net.user)).toBe(97);
    const found = await t.ok(betOfRequest, { params: { requestId } }, net.user);
    expect(found.ticket).toEqual((first as { ticket: unknown }).ticket);
  });

  it('are refused as a whole if one is malformed, naming its field', async () => {
    const right = Array.from({ length: 3 }, () => betOf({}));
    const wrong = async (bets: unknown, field: string) => {
      const { status, body } = await t.call(placeBets, { body: { bets } } as never, net.user);
      expect([status, body]).toEqual([400, expect.objectContaining({ code: 'INVALID_INPUT' })]);
      expect(Object.keys((body as unknown as { fields: object }).fields)).toEqual([field]);
    };
    await wrong([...right, { ...betOf({}), lines: [{ drawno: '7', qty: 0 }] }], 'bets.3.lines.0.qty');
    await wrong([...right, { ...betOf({}), requestId: '' }], 'bets.3.requestId');
    await wrong([...right, betOf({ player: 'U123456' })], 'bets.3.player');
    await wrong([], 'bets');
    await wrong(
      Array.from({ length: 501 }, () => betOf({})),
      'bets',
    );
    await wrong('none', 'bets');
    await wrong([7], 'bets.0');
    expect(await t.credit(net.user)).toBe(100);
  });

  it('spend exactly the available credit under concurrent calls and sockets', async () => {
    const socket = io(url, { auth: { token: net.user.token }, transports: ['websocket'], forceNew: true });
    await expect.poll(() => socket.connected).toBe(true);
    const bySocket = (): Promise<BetReply[]> =>
      new Promise((resolve, reject) =>
        socket.emit(
          'bets',
          { bets: Array.from({ length: 30 }, () => betOf({})) },
          (reply: Parameters<Parameters<LiveEvents['bets']>[1]>[0]) =>
            reply.success ? resolve(reply.answers) : reject(new Error(reply.code)),
        ),
      );
    const byCall = async () => (await lay(net.user, ...Array.from({ length: 40 }, (): Laid => ({})))).body.answers;
    const lone = async (): Promise<BetReply[]> => [(await t.bet(net.user, { 5: 1 })).body];
    const answers = (await Promise.all([byCall(), bySocket(), lone(), byCall(), bySocket(), lone(), byCall()])).flat();
    socket.disconnect();
    expect(answers).toHaveLength(182);
    expect(answers.filter((each) => codeOf(each) === 'taken')).toHaveLength(100);
    expect(answers.filter((each) => codeOf(each) === 'INSUFFICIENT_CREDIT')).toHaveLength(82);
    expect(await t.credit(net.user)).toBe(0);
  });

  it("each have a ticket or none after a disconnect, as the request's lookup tells", async () => {
    const bets = Array.from({ length: 20 }, () => betOf({}));
    const leaving = new AbortController();
    await t.db.transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 for update', [net.user._id]);
      const sent = fetch(`${url}/api/app/bets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${net.user.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ bets }),
        signal: leaving.signal,
      }).catch(() => undefined);
      await untilWaiting(t);
      leaving.abort();
      await sent;
    });
    await expect.poll(() => t.credit(net.user)).toBe(80);
    const fates = await Promise.all(
      bets.map(({ requestId }) => t.call(betOfRequest, { params: { requestId } }, net.user)),
    );
    expect(new Set(fates.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('tickets in one call equal those placed one by one', () => {
  async function field() {
    const network = await t.network({ credit: 0, games: GAMES });
    const limits = { perNumber: 40, perTicket: 25, perPlayer: 45 };
    const params = { adminId: network.admin._id };
    const { data } = await t.ok(listLimits, { params }, network.admin);
    await t.ok(setLimits, { params, body: { updates: data.map(({ id }) => ({ id, ...limits })) } }, network.admin);
    const { key } = await t.ok(makeApiKey, { body: { name: 'games' } }, network.admin);
    return { network, key };
  }
  async function playersOf({ superadmin, retailer }: Network) {
    const players = [await t.create(retailer), await t.create(retailer), await t.create(retailer)];
    await t.give(superadmin, superadmin, 112);
    for (const [index, points] of [70, 30, 12].entries()) await t.give(superadmin, players[index]!, points);
    await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 60 } } as never, players[0]);
    const names = await t.db.query<{ id: string; unique_id: string }>(
      'select id, unique_id from accounts where id = any($1::uuid[])',
      [players.map(({ _id }) => _id)],
    );
    const uniqueIds = players.map(({ _id }) => names.find(({ id }) => id === _id)!.unique_id);
    return { players, uniqueIds };
  }
  const said = (reply: {
    success?: boolean;
    code?: string;
    fields?: unknown;
    ticket?: { playpoints: number; lines: unknown };
    walletBalance?: number;
  }) =>
    reply.success
      ? { lines: reply.ticket!.lines, walletBalance: reply.walletBalance }
      : { code: reply.code, fields: reply.fields };
  const bet = fc.record({
    who: fc.nat({ max: 2 }),
    gameId: fc.constantFrom(...GAMES, 'nosuchgame'),
    requestId: fc.constantFrom('1', '2', '3', '4', '5'),
    drawno: fc.constantFrom('3', '3', '4', '12'),
    qty: fc.constantFrom(1, 2, 5, 8, 20, 30),
  });

  const ONE_OF_EACH = (
    [
      [0, GAMES[0]!, '1', 5],
      [0, GAMES[0]!, '1', 8],
      [0, 'nosuchgame', '2', 1],
      [1, GAMES[0]!, '1', 30],
      [2, GAMES[0]!, '1', 20],
    ] as const
  ).map(([who, gameId, requestId, qty]) => ({ who, gameId, requestId, drawno: '3' as const, qty }));

  it('even if one repeats a request and others follow on the game', async () => {
    const { network, key } = await field();
    const [first, second] = (await playersOf(network)).uniqueIds as [string, string];
    const on = (player: string, requestId: string, qty: number) => ({ player, requestId, drawno: '3', qty });
    const { answers } = (await lay(key, on(first, '1', 20), on(first, '1', 1), on(first, '2', 8), on(second, '1', 20)))
      .body;
    expect(answers.map(codeOf)).toEqual(['taken', 'IDEMPOTENCY_CONFLICT', 'taken', 'LIMIT_REACHED']);
  });

  it('for any limits, credit, players and games', async () => {
    const seen = new Set<string>();
    const [lone, bulk] = [await field(), await field()];
    await fc.assert(
      fc.asyncProperty(fc.array(bet, { minLength: 5, maxLength: 25, size: 'max' }), async (bets) => {
        await t.finishDraw();
        const [one, many] = [await playersOf(lone.network), await playersOf(bulk.network)];
        const single: unknown[] = [];
        for (const { who, ...each } of bets) {
          const { body } = await t.call(
            { method: 'POST', path: 'app/bet' } as never,
            { body: betOf(each) } as never,
            one.players[who],
          );
          single.push(said(body));
          seen.add((body as { code?: string }).code ?? 'taken');
        }
        const { answers } = (
          await lay(bulk.key, ...bets.map(({ who, ...each }) => ({ ...each, player: many.uniqueIds[who]! })))
        ).body;
        expect(answers.map((reply) => said(reply as never))).toEqual(single);
      }),
      { numRuns: perTier(2, 10), endOnFailure: true, examples: [[ONE_OF_EACH]] },
    );
    for (const code of ['taken', 'GAME_UNAVAILABLE', 'LIMIT_REACHED', 'INSUFFICIENT_CREDIT', 'IDEMPOTENCY_CONFLICT'])
      expect(seen).toContain(code);
  });
});
