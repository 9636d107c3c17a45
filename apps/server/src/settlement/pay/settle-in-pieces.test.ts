import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { addResult, fairDraw, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { changeGame, deleteGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { excludePlayer } from '@drawhouse/contract/players/protection';
import { betList } from '@drawhouse/contract/reports/bet-list';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { claimWin, placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPieces } from '../../audit/tickets/audit-pieces.ts';
import { runsOf, eachNth } from '../../../test/test-tier.ts';
import { finishAfter, holdPieces, releasePieces } from '../../../test/statements/held-pieces.ts';
import { listen, TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { needOfTable } from '../../tickets/table/table-need.ts';
import { readTable } from '../../tickets/table/table-bound.ts';
import { PlayerClient } from '../../../test/clients/player-client.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';

const GAME = 'funtargetbingo';
const PERCENT = { superdistributor: 1.25, distributor: 2.5, retailer: 3.33, user: 0.07 };
const PLAYERS = 7;
const SIZES = { wholeUpTo: 0, players: 2, tickets: 1_000 };

let t: TestApp;
let net: Network;
let players: SignedIn[];
let signedInAt: number;

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: SIZES, poolSize: 8 });
  signedInAt = t.clock.now().getTime();
  net = await t.network({ credit: 0, games: [GAME], commissions: PERCENT });
  players = [net.user];
  while (players.length < PLAYERS)
    players.push(await t.create(net.admin, { role: 'user', refId: net.retailer._id, commission: players.length }));
  await t.give(net.superadmin, net.superadmin, 100_000_000);
  for (const player of players) await t.give(net.superadmin, player, 1_000_000);
  await holdPieces(t);
});

const SIGNED_IN_MS = 10 * 60_000;
beforeEach(async () => {
  const now = t.clock.now().getTime();
  if (now - signedInAt < SIGNED_IN_MS) return;
  signedInAt = now;
  for (const role of ROLES) net[role] = await t.signIn(net[role].username);
  players = await Promise.all(players.map(({ username }) => t.signIn(username)));
});
afterEach(() => releasePieces(t));
afterAll(async () => {
  await t.expectBooksToBalance();
  await t.close();
});

const lay = (player: SignedIn, drawno: string, qty: number) =>
  t.ok(placeBet, { body: { gameId: GAME, requestId: randomUUID(), lines: [{ drawno, qty }] } }, player);

const declare = (result: string, admin = net.admin) =>
  t.ok(addResult, { body: { gameId: GAME, adminId: admin._id, result, boosterValue: 3 } }, admin);

const inOrder = (some: readonly SignedIn[]): SignedIn[] => [...some].sort((a, b) => (a._id < b._id ? -1 : 1));

async function gameId(): Promise<string> {
  const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
  return data.find((game) => game.gameId === GAME)!._id;
}

const finishHeldAfter = (pieces: number) => finishAfter(t, pieces);

async function stateOf(drawId: string): Promise<{ status: unknown; paid: number; pieces: number }> {
  const [row] = await t.db.query<{ status: unknown; paid: number; pieces: number }>(
    `select status, (select count(*) from player_settlements where draw_id = $1)::int as paid,
            (select count(*) from settlement_pieces where draw_id = $1)::int as pieces from draws where id = $1`,
    [drawId],
  );
  return row!;
}

async function tableOf({ networkId }: Network): Promise<{ balance: bigint; need: bigint }> {
  const table = { network_id: networkId, game_id: await gameId() };
  return { balance: (await readTable(t.db, table, undefined)).balance, need: await needOfTable(t.db, table) };
}

async function goOn(): Promise<void> {
  await releasePieces(t);
  await t.app.tick();
}

it('yields the same total wherever it pauses between pieces', async () => {
  const bet = fc.record({
    player: fc.integer({ min: 0, max: PLAYERS - 1 }),
    drawno: fc.constantFrom('3', '4'),
    qty: fc.integer({ min: 1, max: 1_000 }),
  });
  const draw = fc.record({
    bets: fc.array(bet, { minLength: 1, maxLength: 14 }),
    held: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(draw, async ({ bets, held }) => {
      await t.finishDraw();
      const tickets = [];
      for (const { player, drawno, qty } of bets) tickets.push((await lay(players[player]!, drawno, qty)).ticket);
      const { drawId } = tickets[0]!;
      await declare('3');
      const playing = new Set(bets.map(({ player }) => player)).size;
      const pieces = Math.ceil(playing / SIZES.players);
      if (held < pieces) {
        await finishHeldAfter(held);
        expect(await stateOf(drawId)).toEqual({ status: 'settling', paid: held * SIZES.players, pieces: held });
        await t.expectBooksToBalance();
        const { balance, need } = await tableOf(net);
        await goOn();
        const left = (await tableOf(net)).balance - (balance - need);
        expect(left).toBeGreaterThanOrEqual(0n);
        expect(left).toBeLessThan(BigInt(PLAYERS + 3));
      } else await t.finishDraw();
      expect(await stateOf(drawId)).toEqual({ status: 'settled', paid: playing, pieces });
      await t.expectBooksToBalance();
      const [sums] = await t.db.query(
        `select (select sum(win)::bigint from ticket_wins where draw_id = $1) as wins,
                (select sum(stake)::bigint from rollups r where account_id = $2 and grain = 'day') as counted,
                (select sum(stake)::bigint from tickets) as staked,
                (select count(*)::int from transfers x join tickets k on k.id = x.reference where k.draw_id = $1 and x.kind = $3) as paid`,
        [drawId, net.admin._id, TRANSFER_KINDS.win],
      );
      const won = bets.filter(({ drawno }) => drawno === '3');
      const wins = won.reduce((sum, { qty }) => sum + BigInt(qty) * 100n * 9n * 3n, 0n);
      expect(sums).toEqual({
        wins: won.length > 0 ? wins : null,
        counted: sums!.staked,
        staked: sums!.staked,
        paid: won.length,
      });
    }),
    { numRuns: runsOf(6) },
  );
});

describe('after an interruption at any statement', () => {
  it.each(
    eachNth(6, [
      ['ticket_wins', 'insert', 'true'],
      ['player_settlements', 'insert', 'true'],
      ['draw_settlings', 'insert', 'true'],
      ['settlement_pieces', 'insert', 'true'],
      ['rollups', 'insert or update', 'true'],
      ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.win}`],
      ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.commission}`],
      ['transfers', 'insert', `new.kind = ${TRANSFER_KINDS.collect}`],
      ['draw_settlements', 'insert', 'true'],
      ['draws', 'update', `new.status = 'settling'`],
      ['draws', 'update', `new.status = 'settled'`],
    ]),
  )(
    'at %s (%s, %s) the books balance, and each player is paid once afterwards by several servers',
    async (table, when, which) => {
      const wins = async () => (await t.db.query('select from ticket_wins')).length;
      await t.finishDraw();
      const before = await wins();
      let drawId = '';
      for (const player of players.slice(0, 5)) ({ drawId } = (await lay(player, '3', 2)).ticket);
      await declare('3');
      const isOnce = table.startsWith('draw') || which.includes(String(TRANSFER_KINDS.collect));
      // Fails on the second occurrence, if any.
      await t.db.query(
        `create sequence breaks; create or replace function break_off() returns trigger language plpgsql security definer as $$
       begin
         if nextval('breaks') > ${table === 'settlement_pieces' ? 2 : 1} or ${isOnce} then raise 'the power is gone'; end if;
         return new;
       end $$;
       create trigger break_off before ${when} on ${table} for each row when (${which}) execute function break_off()`,
      );
      await expect(t.finishDraw()).rejects.toThrow('the power is gone');
      expect((await stateOf(drawId)).status).not.toBe('settled');
      await t.expectBooksToBalance();
      await t.db.query(`drop trigger break_off on ${table}; drop sequence breaks`);
      const other = await t.beside();
      await Promise.all([t.app.tick(), other.app.tick(), t.app.tick()]);
      await other.close();
      await t.app.tick();
      expect(await stateOf(drawId)).toEqual({ status: 'settled', paid: 5, pieces: 3 });
      expect(await wins()).toBe(before + 5);
    },
  );
});

it('an early generated result is paid by the schedule', async () => {
  await t.finishDraw();
  for (const player of players) await lay(player, '3', 2);
  const { drawId } = await t.ok(generateResult, { body: { gameId: GAME, adminId: net.admin._id } }, net.admin);
  expect(await stateOf(drawId)).toMatchObject({ status: 'settling', paid: 0 });
  await t.app.tick();
  expect(await stateOf(drawId)).toMatchObject({ status: 'settled', paid: PLAYERS });
});

describe('with manual claims', () => {
  const setManual = async (manualClaims: 'yes' | 'no') => {
    await t.ok(changeGame, { params: { id: await gameId() }, body: { manualClaims } }, net.superadmin);
    await t.finishDraw();
  };
  beforeAll(() => setManual('yes'));
  afterAll(() => setManual('no'));

  type Winner = SignedIn & { ticketId: string };
  const claim = ({ ticketId, ...player }: Winner) => t.call(claimWin, { body: { ticketId } }, player);
  const exclude = (own: Network, player: SignedIn) =>
    t.ok(excludePlayer, { params: { playerId: player._id }, body: { length: '1 year' } }, own.retailer);
  const balances = async (player: SignedIn) => {
    const rows = await t.db.query<{ balance: bigint }>(
      'select balance from wallets where owner_id = $1 and kind = any($2) order by kind = $3',
      [player._id, [WALLET_KINDS.credit, WALLET_KINDS.winnings], WALLET_KINDS.winnings],
    );
    return rows.map(({ balance }) => balance);
  };
  const WAITS = [9_000n, 27_000n];
  const HAS = [36_000n, 0n];

  async function heldNetwork(): Promise<{ own: Network; winners: [Winner, Winner, Winner, Winner] }> {
    const own = await t.network({ credit: 0, games: [GAME] });
    const four = [own.user];
    while (four.length < 4) four.push(await t.create(own.retailer));
    const winners = [];
    let drawId = '';
    for (const player of inOrder(four)) {
      await t.give(net.superadmin, player, 100);
      const { ticket } = await lay(player, '3', 10);
      winners.push({ ...player, ticketId: ticket._id });
      ({ drawId } = ticket);
    }
    await declare('3', own.admin);
    await finishHeldAfter(1);
    expect(await stateOf(drawId)).toEqual({ status: 'settling', paid: 2, pieces: 1 });
    return { own, winners: winners as [Winner, Winner, Winner, Winner] };
  }

  it('nobody claims before all are paid, and excluded players get their win at the end', async () => {
    const { own, winners } = await heldNetwork();
    const [first, second, third, fourth] = winners;
    for (const winner of [first, fourth])
      expect(await claim(winner)).toMatchObject({ status: 409, body: { code: 'DRAW_STATE' } });
    await exclude(own, second);
    await exclude(own, fourth);
    expect(await Promise.all(winners.map(balances))).toEqual([WAITS, WAITS, [9_000n, 0n], [9_000n, 0n]]);
    await t.expectBooksToBalance();
    await goOn();
    expect(await Promise.all(winners.map(balances))).toEqual([WAITS, HAS, WAITS, HAS]);
    const claims = await t.db.query(
      `select c.ticket_id as id, c.claimed_at = s.settled_at as "with the end" from ticket_claims c
       join draw_settlements s on s.network_id = c.network_id where c.network_id = $1 order by c.ticket_id`,
      [own.networkId],
    );
    expect(claims).toEqual([second, fourth].map(({ ticketId }) => ({ id: ticketId, 'with the end': true })));
    t.clock.advance(1_000);
    expect(await claim(first)).toMatchObject({ status: 200, body: { walletBalance: 360 } });
    expect(await claim(third)).toMatchObject({ status: 200, body: { walletBalance: 360 } });
    await t.expectBooksToBalance();
  });

  it.each(['the exclusion', 'the end'])('no win stays pending when both are concurrent: %s first', async (first) => {
    const { own, winners } = await heldNetwork();
    await releasePieces(t);
    const both = await t.db.transaction(async (tx) => {
      await tx.query('select from wallets where owner_id = $1 and kind = $2 for update', [
        winners[0]._id,
        WALLET_KINDS.winnings,
      ]);
      const acts = [() => exclude(own, winners[0]), () => t.app.tick()];
      const begun = [];
      for (const act of first === 'the end' ? acts.toReversed() : acts) {
        begun.push(act());
        await untilWaiting(t, begun.length);
      }
      return { done: Promise.all(begun) };
    });
    await both.done;
    expect(await Promise.all(winners.map(balances))).toEqual([HAS, WAITS, WAITS, WAITS]);
    await t.expectBooksToBalance();
  });
});

it.each([
  ['wallet debts', 'wallets', 'balance = balance - $1', `kind = ${WALLET_KINDS.table}`, '-balance'],
  ['counted wins', 'rollups', 'win = win + $1', `grain = 'day'`, 'greatest(stake, win)'],
])('a draw is void before any payment if %s exceed the books', async (_what, table, change, where, of) => {
  await t.finishDraw();
  // Prevents cover transfers during the test.
  await t.ok(addBalance, { body: { gameId: GAME, adminId: net.admin._id, balance: 10_000 } }, net.admin);
  const balances = () =>
    t.db.query('select id, balance from wallets where network_id = $1 order by id', [net.networkId]);
  const before = await balances();
  let drawId = '';
  for (const player of players) ({ drawId } = (await lay(player, '3', 10)).ticket);
  await declare('3');
  const [had] = await t.db.query<{ most: bigint }>(
    `select max(${of}) as most from ${table} where network_id = $1 and ${where}`,
    [net.networkId],
  );
  // One above the wallet limit for piecewise settlement.
  const more = 2n ** 62n + 1n - had!.most;
  const changeBy = (amount: bigint) =>
    t.db.query(`update ${table} set ${change}::bigint where network_id = $2 and ${where}`, [amount, net.networkId]);
  await changeBy(more);
  await t.finishDraw();
  await changeBy(-more);
  expect(await stateOf(drawId)).toEqual({ status: 'void', paid: 0, pieces: 0 });
  expect(await t.db.query('select from draw_settlings where draw_id = $1', [drawId])).toEqual([]);
  expect(await t.ok(fairDraw, { params: { drawId } })).toMatchObject({ status: 'void', voidCause: 'wins' });
  expect(await balances()).toEqual(before);
  await t.expectBooksToBalance();
});

it("a piece has a fixed number of tickets plus the rest of its last player's", async () => {
  const other = await t.beside({ pieceSizes: { wholeUpTo: 0, players: 100, tickets: 3 } });
  await other.finishDraw();
  let drawId = '';
  for (const [at, tickets] of [2, 2, 1, 1, 5, 4, 1].entries())
    for (let count = 0; count < tickets; count++)
      ({ drawId } = (await lay(inOrder(players)[at]!, String(count), 1)).ticket);
  await other.finishDraw();
  await other.close();
  const pieces = await t.db.query('select players from settlement_pieces where draw_id = $1 order by paid_at', [
    drawId,
  ]);
  expect(pieces.map((piece) => Number(piece.players))).toEqual([2, 3, 1, 1]);
  expect(await stateOf(drawId)).toEqual({ status: 'settled', paid: PLAYERS, pieces: 4 });
});

describe('while a draw is being paid', () => {
  let drawId: string;
  let waiting: SignedIn;
  let paid: SignedIn;

  beforeAll(async () => {
    await t.finishDraw();
    for (const player of players) ({ drawId } = (await lay(player, '3', 10)).ticket);
    await declare('3');
    await finishHeldAfter(1);
    const order = inOrder(players);
    [paid, waiting] = [order[0]!, order.at(-1)!];
  });

  it('its result is public, and tickets stay open until their player is paid', async () => {
    expect(await stateOf(drawId)).toMatchObject({ status: 'settling', paid: 2 });
    const fair = await t.ok(fairDraw, { params: { drawId } });
    expect(fair).toMatchObject({
      status: 'settling',
      result: { drawno: '3' },
      seed: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const tickets = async (player: SignedIn) => (await t.ok(playerTickets, { query: {} }, player)).data[0];
    expect(await tickets(paid)).toMatchObject({ status: 'settled', winpoints: 270, draw: { status: 'settling' } });
    expect(await tickets(waiting)).toMatchObject({ status: 'open', winpoints: null });
  });

  it('cannot be voided or generated, nor its game or a waiting player deleted', async () => {
    const pair = { gameId: GAME, adminId: net.admin._id, drawId };
    const refused = { status: 409, body: { code: 'DRAW_STATE' } };
    expect(await t.call(generateResult, { body: pair }, net.admin)).toMatchObject(refused);
    expect(await t.call(voidDraw, { body: { ...pair, reason: 'wrong ball' } }, net.superadmin)).toMatchObject(refused);
    const { remove } = accountRoutes.user;
    expect(await t.call(remove, { params: { id: waiting._id } }, net.retailer)).toMatchObject({
      body: { code: 'HAS_OPEN_TICKETS' },
    });
    expect(await t.call(deleteGame, { params: { id: await gameId() } }, net.superadmin)).toMatchObject({
      status: 409,
      body: { code: 'GAME_IN_USE', message: expect.stringContaining('has draws') },
    });
  });

  it('a commission changed between pieces leaves the books balanced', async () => {
    const { update } = accountRoutes.retailer;
    await t.ok(update, { params: { id: net.retailer._id }, body: { commission: 5 } }, net.admin);
    await t.expectBooksToBalance();
  });

  it('reports count it when settled, and the Bet List shows it as settling', async () => {
    const progress = async () => {
      const { summary } = await t.ok(turnoverReport.route, { query: {} }, net.admin);
      const { today } = await t.ok(dashboard, { query: {} }, net.admin);
      return {
        turnover: [summary.totalPlayPoints, summary.totalWinPoints],
        dashboard: [today.playPoints, today.winPoints],
      };
    };
    const results = async () => {
      const { data } = await t.ok(betList.route, { query: {} }, net.admin);
      const { value } = betList.columns.find(({ name }) => name === 'result') as { value: (row: unknown) => string };
      return data.filter((row) => row.drawId === drawId).map((row) => [row.status, row.winpoints, value(row)]);
    };
    const before = await progress();
    expect(await results()).toEqual(players.map(() => ['settling', null, 'Settling']));
    await goOn();
    t.clock.advance(1_000);
    const more = ([play, won]: number[]) => [play! + 10 * PLAYERS, won! + 270 * PLAYERS];
    expect(await progress()).toEqual({ turnover: more(before.turnover), dashboard: more(before.dashboard) });
    expect(await results()).toEqual(players.map(() => ['settled', 270, '3 booster 3, declared']));
    expect(await stateOf(drawId)).toEqual({ status: 'settled', paid: PLAYERS, pieces: 4 });
    await t.expectBooksToBalance();
  });
});

it('notifies each player once, when paid, with the result available', async () => {
  await t.finishDraw();
  const url = await listen(t.app);
  const order = inOrder(players);
  const clients = [order[0]!, order.at(-1)!].map((player) => new PlayerClient(url, player).watch([GAME]));
  const [first, last] = clients as [PlayerClient, PlayerClient];
  await expect.poll(() => clients.every((client) => client.of(GAME))).toBeTruthy();
  for (const player of players) await lay(player, '3', 10);
  await declare('3');
  const settledOf = (client: PlayerClient) => client.wallets.flatMap(({ settled }) => settled ?? []);
  const hasResult = (client: PlayerClient) => client.games.some(({ result }) => result?.drawno === '3');
  for (const client of clients) client.forget();
  await finishHeldAfter(1);
  await expect.poll(() => settledOf(first).length > 0 && clients.every(hasResult)).toBeTruthy();
  expect(settledOf(last)).toEqual([]);
  await goOn();
  await expect.poll(() => settledOf(last).length > 0).toBeTruthy();
  for (const player of [order[0]!, order.at(-1)!]) await lay(player, '4', 1);
  await expect.poll(() => clients.every((client) => client.wallets.at(-1)?.settled === null)).toBeTruthy();
  for (const client of clients) {
    expect(settledOf(client)).toEqual([expect.objectContaining({ staked: 10, won: 270 })]);
    client.socket.disconnect();
  }
});

const DRAW = 'draw_id = (select draw_id from draw_settlings order by began_at desc limit 1)';

it.each([
  ['a deleted piece', `delete from settlement_pieces where ${DRAW}`, /settlements of draw .*, belong to no piece/],
  [
    "a piece's player count",
    `update settlement_pieces set players = players + 1 where ${DRAW}`,
    /the piece of draw .* has 3 players; 2 settlements are of it/,
  ],
  [
    "a piece's payments",
    `update settlement_pieces set paid = paid + 1 where ${DRAW}`,
    /the piece of draw .* that was paid at .* paid \d+; its settlements come to \d+/,
  ],
  [
    "a piece's payment time",
    ['settlement_pieces', 'player_settlements', 'ticket_wins']
      .map((table) => `update ${table} set paid_at = paid_at - interval '1 hour' where ${DRAW}`)
      .join(';'),
    /a piece of draw .* was paid at .*; it was settled from/,
  ],
  [
    'the planned sums',
    `update draw_settlings set win = win + 1 where ${DRAW}`,
    /was to come to .* its settlements come to/,
  ],
  [
    'the start time',
    `update draw_settlings set began_at = began_at + interval '1 hour' where ${DRAW}`,
    /began to be paid at .*; betting closed at/,
  ],
  [
    'a deleted start',
    `delete from draw_settlings where ${DRAW}`,
    /has a piece of a settlement and never began to be paid in pieces/,
  ],
  [
    'the mark of waiting wins',
    `update draw_settlings set manual_claims = true where ${DRAW}`,
    /began to be paid with claims otherwise than its terms say/,
  ],
  [
    'with which piece a win was paid',
    `update ticket_wins set paid_at = paid_at + interval '1 s' where ${DRAW}`,
    /the win of ticket .* was paid at .*; its player's settlement at/,
  ],
  [
    'the mark of payment in pieces',
    `update ticket_wins set paid_at = null where ${DRAW}; update player_settlements set paid_at = null where ${DRAW}`,
    /settlements of draw .*, paid at its settlement, belong to no piece/,
  ],
])('the audit detects a manual change of %s', async (_what, sql, expected) => {
  const undo = new Error('undo');
  const found: string[] = [];
  await expect(
    t.db.transaction(async (tx) => {
      await tx.query(sql);
      found.push(...(await auditPieces(tx)).problems);
      throw undo;
    }),
  ).rejects.toBe(undo);
  expect(found).toContainEqual(expect.stringMatching(expected));
});
