import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../../../tools/demo/client.ts';
import { simulate } from '../../../../lab/simulate/crowd.ts';
import type { Simulation } from '../../../../lab/simulate/crowd-state.ts';
import { createHttpWire } from '../../../../lab/simulate/http-wire.ts';
import { makePlayers } from '../../../../lab/simulate/make-players.ts';
import { BadOption } from '../../../../lab/simulate/options.ts';
import { createSocketWire } from '../../../../lab/simulate/socket-wire.ts';
import { Tally } from '../../../../lab/simulate/tally.ts';
import { listen, TestApp, type Network } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';

const GAMES = ['funtargetbingo', 'triplefun', 'andarbahar', 'lottery3d', 'lottery4d', 'acqOpdpL', 'roulette'];
const LAB = fileURLToPath(new URL('../../../../lab/lab.ts', import.meta.url));
const PLAYERS = 4;
const CREDIT = 5_000;

let t: TestApp;
let net: Network;
let url: string;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 10, games: GAMES });
  url = await listen(t.app);
});
afterAll(() => t.close());

const call = () => connect(url, 4, new AbortController().signal).call;

async function play(simulation: Pick<Simulation, 'players' | 'games' | 'wire'>, bets: number): Promise<Tally> {
  const stopping = new AbortController();
  const tally = new Tally();
  const accept = tally.accept.bind(tally);
  tally.accept = (...one) => {
    accept(...one);
    if (tally.accepted >= bets) stopping.abort();
  };
  await simulate({ ...simulation, call: call(), rate: Infinity, signal: stopping.signal, together: true }, tally);
  simulation.wire.close();
  return tally;
}

it("lets an operator's new players bet in games of every family, and closes them", async () => {
  await t.give(net.superadmin, net.superadmin, PLAYERS * CREDIT);
  for (const gameId of GAMES)
    await t.ok(addBalance, { body: { gameId, adminId: net.admin._id, balance: 20_000, type: 'add' } }, net.admin);
  const operator = {
    kind: 'operator',
    username: net.superadmin.username,
    password: PASSWORD,
    retailer: net.retailer.username,
    credit: CREDIT,
    save: undefined,
  } as const;
  const says: string[] = [];
  const { players, close } = await makePlayers(call(), operator, PLAYERS, (sentence) => void says.push(sentence));
  expect(says.join()).toContain(`${PLAYERS} players below the retailer ${net.retailer.username}`);

  const byHttp = await play({ players, games: GAMES, wire: createHttpWire(url, PLAYERS) }, 100);
  const bySocket = await play({ players, games: GAMES, wire: createSocketWire(url) }, 50);
  expect([...byHttp.refused, ...bySocket.refused]).toEqual([]);
  expect(bySocket.accepted).toBeGreaterThanOrEqual(50);
  const [accepted, points] = [byHttp.accepted + bySocket.accepted, byHttp.points + bySocket.points];
  const rows = await t.db.query<{ stake: bigint; family: string }>(
    `select k.stake, g.family from tickets k join draws d on d.network_id = k.network_id and d.id = k.draw_id
     join games g on g.id = d.game_id`,
  );
  expect(rows).toHaveLength(accepted);
  expect(rows.reduce((sum, { stake }) => sum + Number(stake), 0)).toBe(points * 100);
  expect(new Set(rows.map((row) => row.family)).size).toBe(7);

  expect(await close()).toBeCloseTo(PLAYERS * CREDIT - points, 2);
  expect((await t.db.query('select from accounts where note = $1 and active', ['Simulation'])).length).toBe(0);
  await t.expectBooksToBalance();
});

it('creates no players if the password file exists, and leaves it unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'drawhouse-simulate-'));
  const save = join(folder, 'players');
  await writeFile(save, 'somebody else\n');
  const args = ['--url', url, '--operator', net.superadmin.username, '--retailer', net.retailer.username];
  const run = promisify(execFile)(process.execPath, [LAB, 'simulate', ...args, '--save', save, '--seconds', '1'], {
    env: { ...process.env, OPERATOR_PASSWORD: PASSWORD },
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is one already') as string,
  });
  expect(await readFile(save, 'utf8')).toBe('somebody else\n');
  expect(await t.db.query('select from accounts where note = $1 and active', ['Simulation'])).toEqual([]);
  await rm(folder, { recursive: true });
});

it('creates no players without enough credit or with an ambiguous retailer', async () => {
  const operator = { kind: 'operator', password: PASSWORD, credit: CREDIT, save: undefined } as const;
  const make = (username: string, retailer?: string) =>
    makePlayers(call(), { ...operator, username, retailer }, PLAYERS, () => {});
  await expect(make(net.retailer.username)).rejects.toThrow(/has 0 points; 4 players with 5000 each need 20000/);
  await expect(make(net.superadmin.username, 'nobody')).rejects.toThrow(BadOption);
  await expect(make(net.user.username)).rejects.toThrow(/is a player/);
  expect((await t.db.query('select from accounts where note = $1 and active', ['Simulation'])).length).toBe(0);
});
