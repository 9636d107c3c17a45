import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import { builtInGame } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { everyBet } from '../../../../../lab/simulate/ready-bets.ts';
import { createSeededRandom } from '../../../../../lab/torture/load/random.ts';
import { listen, TestApp, type Network } from '../../../test/harness.ts';
import { LiveClient, textOf } from '../../../test/clients/live-client.ts';

const SOCKETS = 500;
const SOCKETS_PER_SESSION = 6;
const GAMES = ['funtargetbingo', 'andarbahar', 'acqOpdpL', 'funtargetbingo', 'andarbahar', 'lottery3d'] as const;
const ROUNDS = 6;
const PATIENCE = { timeout: 90_000, interval: 200 };
const SEED = Number(process.env['DROPS_SEED'] ?? randomInt(2 ** 31));

let t: TestApp;
let url: string;
let net: Network;
const clients: { readonly gameId: (typeof GAMES)[number]; readonly client: LiveClient }[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
  const games = [...new Set(GAMES)];
  net = await t.network({ credit: 100_000, games });
  // Bets on heads that return more than 100 % need cover.
  for (const gameId of games)
    await t.ok(addBalance, { body: { gameId, adminId: net.admin._id, balance: 100_000 } }, net.admin);
});
afterAll(async () => {
  for (const { client } of clients) client.socket.disconnect();
  await t.expectBooksToBalance();
  await t.close();
});

async function sessions(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  await t.db.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
     select token_hash, $2, $3, $3, '127.0.0.1', 'test' from unnest($1::bytea[]) as s (token_hash)`,
    [tokens.map((token) => createHash('sha256').update(token).digest()), net.admin._id, t.clock.now()],
  );
  return tokens;
}

it(`${SOCKETS} sockets that drop at random show the database's state afterwards`, async () => {
  console.log(`the dropped sockets: DROPS_SEED=${SEED}`);
  const random = createSeededRandom(SEED);
  const tokens = await sessions(Math.ceil(SOCKETS / SOCKETS_PER_SESSION));
  for (let at = 0; at < SOCKETS; at++) {
    const gameId = GAMES[at % GAMES.length]!;
    // Every tenth client imitates a third party without change support.
    const options = { changes: at % 10 !== 9, reconnectMs: random.int(20, 200) };
    const client = new LiveClient(url, tokens[Math.floor(at / SOCKETS_PER_SESSION)]!, options);
    clients.push({ gameId, client: client.open(net.admin._id, gameId) });
  }
  const truths = async () =>
    new Map(
      await Promise.all(
        GAMES.map(async (gameId) => {
          const panel = await t.ok(loadGame, { query: { gameId, adminId: net.admin._id } }, net.admin);
          return [gameId, textOf(panel)] as const;
        }),
      ),
    );
  const different = async (): Promise<number> => {
    const right = await truths();
    return clients.filter(({ gameId, client }) => textOf(client.panel) !== right.get(gameId)).length;
  };
  await vi.waitUntil(() => clients.every(({ client }) => client.panel !== null), PATIENCE);

  const bets = new Map(GAMES.map((gameId) => [gameId, everyBet(rulesFor(builtInGame(gameId)!))]));
  let dropped = 0;
  for (let round = 0; round < ROUNDS; round++) {
    t.clock.advance(2_000);
    for (const { client } of random.shuffle(clients).slice(0, random.int(SOCKETS / 10, SOCKETS / 2))) {
      if (client.socket.connected) dropped++;
      client.drop();
    }
    for (let bet = 0; bet < 30; bet++) {
      const gameId = random.pick(GAMES);
      const lines = Array.from({ length: random.int(1, 4) }, () => ({
        ...random.pick(bets.get(gameId)!),
        qty: random.int(1, 9),
      }));
      await t.ok(placeBet, { body: { gameId, requestId: randomUUID(), lines } as never }, net.user);
    }
  }
  await expect.poll(different, PATIENCE).toBe(0);
  expect(clients.every(({ client }) => client.socket.connected)).toBe(true);
  expect(dropped).toBeGreaterThan((ROUNDS * SOCKETS) / 25);
  expect(clients.flatMap(({ client }) => client.refusals)).toEqual([]);
});
