import { pause } from '../../tools/demo/client.ts';
import { makeLoad } from './torture-load.ts';
import type { CrashOptions, Verdict } from './crash.ts';
import { seeded } from './random.ts';
import { ServersStand } from './servers-stand.ts';

const ALONE_MS = 1_500;

/**
 * Kills two servers on one database in turn. The survivor continues and finishes the other's work. Sometimes kills
 * both, or PostgreSQL too.
 */
export async function twoServers({ rounds, seed, size, checkEvery, say, signal }: CrashOptions): Promise<Verdict> {
  const random = seeded(seed);
  const stand = await ServersStand.start(2);
  const problems: string[] = [];
  try {
    const load = await makeLoad(stand, size, random.fork());
    load.play();
    for (let round = 1; round <= rounds && !signal?.aborted; round++) {
      await load.underWay(signal);
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
