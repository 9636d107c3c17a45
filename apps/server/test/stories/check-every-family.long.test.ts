import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { listBeacons, setBeacons } from '@drawhouse/contract/games/game-beacons';
import { builtInGame, FAMILIES, type FamilyName } from '@drawhouse/rules/games/catalogue';
import { newBeaconKey } from '@drawhouse/rules/fair/beacon-signature';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveBeacon, type RunningBeacon } from '../../../../tools/beacon/serve-beacon.ts';
import { reportOn } from '../../../../tools/check-draw/draw-report.ts';
import type { AnsweredDraw } from '../../../../tools/check-draw/read-draw.ts';
import { TestApp, type Network } from '../harness.ts';

const SCRIPT = fileURLToPath(new URL('../../../../docs/check_draw.py', import.meta.url));

const DRAWS = 100;
const INTERVAL_MS = 300_000;
const CLOSES_BEFORE_MS = 5_000;

const GAMES: Readonly<Record<FamilyName, string>> = {
  numbers: 'funtargetbingo',
  roulette: 'europeanroulette',
  triple: 'triplefun',
  andarbahar: 'andarbahar',
  lottery3d: 'lottery3d',
  lottery4d: 'lottery4d',
  jodi: 'acqOpdpL',
};

let t: TestApp;
let nowMs = 0;
let beacons: readonly RunningBeacon[];
let nets: readonly Network[];

beforeAll(async () => {
  const start = (): Promise<RunningBeacon> =>
    serveBeacon(newBeaconKey(), { host: '127.0.0.1', port: 0, nowMs: () => nowMs });
  beacons = await Promise.all([start(), start()]);
  const sealedUpTo = async (): Promise<string> =>
    (await t.db.query<{ now: string }>('select pg_current_snapshot()::text as now'))[0]!.now;
  t = await TestApp.start({ beacons: { beacons, deadlineMs: 60_000, sealedUpTo } });
  const games = Object.values(GAMES);
  nets = [await t.network({ games }), await t.network({ games }), await t.network({ games })];
  for (const [used, net] of nets.entries()) {
    const params = { adminId: net.admin._id };
    const { data } = await t.ok(listBeacons, { params }, net.superadmin);
    const keys = beacons.slice(0, used).map(({ publicKey }) => publicKey);
    await t.ok(
      setBeacons,
      { params, body: { updates: data.map(({ id }) => ({ id, beacons: keys })) } },
      net.superadmin,
    );
  }
  await t.finishDraw(INTERVAL_MS / 1_000);
});
afterAll(async () => {
  await t.close();
  await Promise.all(beacons.map((beacon) => beacon.close()));
});

async function goTo(ms: number): Promise<void> {
  nowMs = ms;
  t.clock.set(new Date(ms));
  await t.app.tick();
}

/** One draw per game, with a ticket on the first game of each network. */
async function drawAll(): Promise<string[]> {
  const open = await t.db.query<{ id: string }>("select id from draws where status = 'open'");
  for (const { user } of nets) expect(await t.bet(user, { 7: 1 })).toMatchObject({ status: 201 });
  const drawsMs = (Math.floor(t.clock.now().getTime() / 60_000) + 1) * 60_000;
  await goTo(drawsMs - CLOSES_BEFORE_MS);
  await goTo(drawsMs);
  const lastMs = Math.ceil(drawsMs / INTERVAL_MS) * INTERVAL_MS;
  if (lastMs > drawsMs) {
    await goTo(lastMs - CLOSES_BEFORE_MS);
    await goTo(lastMs);
  }
  return open.map(({ id }) => id);
}

/** Draws that docs/check_draw.py confirms; undefined without Python. */
function confirmedByScript(draws: readonly unknown[]): number | undefined {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout, error } = spawnSync('python3', [SCRIPT], {
    env,
    input: JSON.stringify(draws),
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (error && 'code' in error && error.code === 'ENOENT') return undefined;
  return stdout.split('\n').filter((line) => line.includes(': correct: {')).length;
}

it('check-draw and check_draw.py confirm 100 draws of each family with 0, 1 and 2 beacons', async () => {
  expect(Object.entries(GAMES).map(([, key]) => builtInGame(key)!.family)).toEqual(FAMILIES);
  const drawn: string[] = [];
  for (let n = 0; n < DRAWS; n++) drawn.push(...(await drawAll()));
  const counts = new Map<string, number>();
  const published: unknown[] = [];
  for (const drawId of drawn) {
    const draw = await t.ok(fairDraw, { params: { drawId } });
    published.push(draw);
    const { problems, lines } = reportOn(draw as unknown as AnsweredDraw);
    expect([draw.status, draw.source, problems], `${draw.gameId} ${drawId}`).toEqual(['settled', 'generated', []]);
    expect(lines.filter((line) => /^OK: round \d+ matches/.test(line))).toHaveLength(draw.beacons.length);
    const kind = `${draw.family} ${draw.beacons.length}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const expected = FAMILIES.flatMap((family) =>
    [0, 1, 2].map((used): [string, number] => [`${family} ${used}`, DRAWS]),
  );
  expect(counts).toEqual(new Map(expected));
  expect(confirmedByScript(published) ?? published.length).toBe(published.length);
  await t.expectBooksToBalance();
});
