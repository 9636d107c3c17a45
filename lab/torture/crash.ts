import { pause } from '../../tools/demo/client.ts';
import { makeLoad, type LoadSize } from './load/torture-load.ts';
import { GAMES } from './load/torture-network.ts';
import { createSeededRandom, type Random } from './load/random.ts';
import { EmbeddedStand, KILLS } from './stand.ts';
import { ServersStand } from './servers-stand.ts';

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly size: LoadSize;
  /** Rounds; the last one always compares. */
  readonly checkEvery: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface Verdict {
  readonly problems: readonly string[];
  readonly summary: string;
}

const LULL_MS = 1_000;
const NEAR_DRAW_MS = [-400, 250] as const;

/**
 * Kills server, embedded PostgreSQL or both with `kill -9`, at random moments and near draw ends. Kinds occur equally
 * often; the seed repeats kinds and moments.
 */
export async function crashRounds({ rounds, seed, size, checkEvery, say, signal }: CrashOptions): Promise<Verdict> {
  const random = createSeededRandom(seed);
  const stand = await EmbeddedStand.start();
  const problems: string[] = [];
  try {
    const load = await makeLoad(stand, size, random.fork());
    load.play();
    const kills = Array.from({ length: Math.ceil(rounds / KILLS.length) }, () => random.shuffle(KILLS)).flat();
    for (const [index, kill] of kills.slice(0, rounds).entries()) {
      if (signal?.aborted) break;
      await load.untilRunning(signal);
      await moment(random, signal);
      const from = performance.now();
      load.killed(await stand.kill(kill, (pids) => random.pick(pids)));
      await stand.untilReady();
      say(`round ${index + 1}: kill -9 of ${kill}, serving again after ${Math.round(performance.now() - from)} ms`);
      if ((index + 1) % checkEvery !== 0 && index + 1 < rounds) continue;
      problems.push(...(await load.check()));
      if (problems.length > 0) break;
      if (index + 1 < rounds) load.play();
    }
    if (signal?.aborted) problems.push(...(await load.check()));
    return { problems, summary: load.summary() };
  } finally {
    await stand.stop();
  }
}

async function moment(random: Random, signal?: AbortSignal): Promise<void> {
  await pause(random.next() * LULL_MS, signal);
  if (random.int(0, 1) === 0) return;
  const intervalMs = random.pick(GAMES).intervalSeconds * 1_000;
  const [least, most] = NEAR_DRAW_MS;
  const untilDraw = intervalMs - (Date.now() % intervalMs);
  await pause(Math.max(0, untilDraw + random.int(least, most)), signal);
}

const ALONE_MS = 1_500;

/**
 * Kills two servers on one database in turn. The survivor finishes the other's work. Sometimes kills both, or
 * PostgreSQL too.
 */
export async function twoServers({ rounds, seed, size, checkEvery, say, signal }: CrashOptions): Promise<Verdict> {
  const random = createSeededRandom(seed);
  const stand = await ServersStand.start(2);
  const problems: string[] = [];
  try {
    const load = await makeLoad(stand, size, random.fork());
    load.play();
    for (let round = 1; round <= rounds && !signal?.aborted; round++) {
      await load.untilRunning(signal);
      await pause(random.next() * ALONE_MS, signal);
      const both = random.int(0, 4) === 0;
      const database = random.int(0, 4) === 0;
      const places = both ? [0, 1] : [round % 2];
      load.killed(await stand.kill(places, database));
      if (!both) await pause(random.next() * ALONE_MS, signal);
      for (const at of places) await stand.startAgain(at);
      await stand.untilReady();
      say(
        `round ${round}: kill -9 of ${both ? 'both servers' : `server ${round % 2}`}${database ? ' and of PostgreSQL' : ''}`,
      );
      if (round % checkEvery !== 0 && round < rounds) continue;
      problems.push(...(await load.check()));
      if (problems.length > 0) break;
      if (round < rounds) load.play();
    }
    if (signal?.aborted) problems.push(...(await load.check()));
    return { problems, summary: load.summary() };
  } finally {
    await stand.stop();
  }
}
