import { randomInt } from 'node:crypto';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { changeGame, toggleGame } from '@drawhouse/contract/games/game-catalogue';
import { addBalance, RESULT_MODES } from '@drawhouse/contract/games/game-pair';
import { userGames } from '@drawhouse/contract/games/games';
import { loadGame } from '@drawhouse/contract/live/live';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSeededRandom } from '../../../../../lab/torture/load/random.ts';
import { listen, TestApp, type Network, type Reply } from '../../../test/harness.ts';
import { LiveClient, shownOf } from '../../../test/clients/live-client.ts';

const PATIENCE = { timeout: 300_000 };
const GAME = 'funtargetbingo';
const SEED = Number(process.env['PANEL_SEED'] ?? randomInt(2 ** 31));
const ROUNDS = 25;

let t: TestApp;
let other: TestApp;
let net: Network;
let clients: LiveClient[];

beforeAll(async () => {
  t = await TestApp.start();
  other = await t.beside();
  net = await t.network({ credit: 100_000, games: [GAME] });
  await t.give(net.superadmin, net.superadmin, 10_000);
  await t.give(net.superadmin, net.admin, 10_000);
  clients = [await listen(t.app), await listen(other.app)].map((url) =>
    new LiveClient(url, net.admin.token).open(net.admin._id, GAME),
  );
});
afterAll(async () => {
  for (const { socket } of clients) socket.disconnect();
  await t.expectBooksToBalance();
  await other.close();
  await t.close();
});

it("after any sequence of events clients show the server's whole panel", async () => {
  console.log(`the sequences of a panel: PANEL_SEED=${SEED}`);
  const random = createSeededRandom(SEED);
  const [game] = await t.db.query<{ id: string }>('select id from games where game_key = $1', [GAME]);
  const params = { id: game!.id };
  const { adminGameList } = await t.ok(userGames, { params: { id: net.admin._id } }, net.admin);
  const pair = { gameId: GAME, adminId: net.admin._id };
  const change = (body: object) => t.call(changeGame, { params, body }, net.superadmin);
  const result = () => String(random.int(0, 9));

  const acts: Record<string, () => Promise<Reply<unknown> | void>> = {
    bet: () => t.bet(net.user, { [result()]: random.int(1, 50), [result()]: 1 }),
    'bet elsewhere': () => other.bet(net.user, { [result()]: random.int(1, 50) }),
    save: () => t.call(addResult, { body: { ...pair, result: result(), boosterValue: random.int(1, 3) } }, net.admin),
    confirm: () => other.call(addResult, { body: { ...pair, result: result() } }, net.superadmin),
    generate: () => t.call(generateResult, { body: pair }, net.admin),
    void: () => t.call(voidDraw, { body: { ...pair, reason: 'a trial' } }, net.admin),
    next: () => t.finishDraw(),
    price: () => change({ unitPrice: random.int(1, 5) }),
    pays: () => change({ pays: { number: random.int(2, 9) } }),
    name: () => change({ gameName: `Game ${random.int(1, 99)}` }),
    mode: () => change({ resultMode: random.pick(RESULT_MODES) }),
    toggle: () =>
      t.call(
        toggleGame,
        { params: { ...params, action: random.pick(['activate', 'deactivate'] as const) } },
        net.superadmin,
      ),
    balance: () => t.call(addBalance, { body: { ...pair, balance: random.int(1, 5) } }, net.admin),
    'no balance': () => t.call(addBalance, { body: { ...pair, type: 'remove' } }, net.admin),
    percentage: () =>
      t.call(
        setPercentages,
        {
          params: { id: net.admin._id },
          body: { updates: [{ id: adminGameList[0]!._id, winpercentage: random.int(900, 1000) }] },
        },
        net.admin,
      ),
  };
  const names = Object.keys(acts);
  const done = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const chosen = [...random.shuffle(names).slice(0, 3), ...(round % 3 === 2 ? ['next', 'bet'] : [])];
    await Promise.all(
      chosen.map(async (name) => {
        const reply = await acts[name]!();
        if (!reply || reply.status < 300) done.set(name, (done.get(name) ?? 0) + 1);
        else expect(reply.status, `${name}: ${JSON.stringify(reply.body)}`).toBeLessThan(500);
      }),
    );
    for (const each of clients)
      await vi.waitFor(
        async () => expect(shownOf(each.panel)).toEqual(shownOf(await t.ok(loadGame, { query: pair }, net.admin))),
        PATIENCE,
      );
  }
  for (const { got, refusals } of clients) {
    expect(got).toMatchObject({ wholes: 1, gaps: 0 });
    expect(got.changes).toBeGreaterThan(ROUNDS / 2);
    expect(refusals).toEqual([]);
  }
  expect(done.size).toBeGreaterThan(names.length / 2);
});
