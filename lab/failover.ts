/**
 * `npm run lab -- failover --kills 20` (lab/README.md), in network namespaces, with the files of deploy/three-nodes.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pause } from '../tools/demo/client.ts';
import { makeDataDir } from '../apps/server/test/processes/data-dir.ts';
import { DatabaseNodes, NODE_KILLS } from './failover/database-nodes.ts';
import { FailoverStand } from './failover/failover-stand.ts';
import { createSeededRandom } from './torture/load/random.ts';
import { acknowledgedOf, makeLoad, type Load } from './torture/load/torture-load.ts';

const SIZE = { networks: 2, playersEach: 12, atOnce: 3, slower: 2 };
const RECOVERED_MS = 90_000;
const UNDISTURBED_MS = 2_000;

/** Waits until bets are acknowledged again. */
async function longestGap(load: Load, signal: AbortSignal): Promise<number> {
  const from = performance.now();
  let [count, lastAt, longest] = [acknowledgedOf(load.bets), from, 0];
  while (!signal.aborted) {
    await pause(10, signal);
    const now = performance.now();
    const next = acknowledgedOf(load.bets);
    longest = Math.max(longest, now - lastAt);
    if (next > count) [count, lastAt] = [next, now];
    if (now - from > RECOVERED_MS) throw new Error(`No bet was acknowledged for ${RECOVERED_MS / 1000} s.`);
    // The first answers may be of commits before the kill.
    if (longest > UNDISTURBED_MS && now - lastAt < UNDISTURBED_MS / 2) return longest;
    if (now - from > RECOVERED_MS / 3 && longest < UNDISTURBED_MS) return longest;
  }
  return longest;
}

async function drill(kills: number, seed: number, signal: AbortSignal): Promise<readonly string[]> {
  const random = createSeededRandom(seed);
  console.log(`--seed ${seed} repeats the kinds and moments of this run.`);
  const nodes = await DatabaseNodes.start(await makeDataDir('nodes'));
  const stand = await FailoverStand.start(nodes);
  try {
    const load = await makeLoad(stand, SIZE, random.fork());
    const kinds = Array.from({ length: Math.ceil(kills / NODE_KILLS.length) }, () => random.shuffle(NODE_KILLS)).flat();
    const gaps: number[] = [];
    load.play();
    for (const [index, kind] of kinds.slice(0, kills).entries()) {
      await load.untilRunning(signal);
      await pause(random.next() * 1_000, signal);
      if (signal.aborted) break;
      const { name, at } = await nodes.killPrimary(kind);
      load.killed(at);
      console.log(`  kill ${index + 1}: ${kind} of ${name}`);
      const gap = await longestGap(load, signal).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await nodes.describe()}\n${await stand.describe()}`, { cause: error });
      });
      gaps.push(gap);
      await nodes.repair(kind, name);
      for (const stuck of await nodes.untilHealthy(signal)) console.log(`    ${stuck} had to be copied again`);
      console.log(`    ${(gap / 1_000).toFixed(1)} s without an answered bet`);
    }
    const problems = await load.check();
    if (problems.length > 0) console.log(`${await nodes.describe()}\n${await stand.describe()}`);
    const sorted = gaps.toSorted((one, other) => one - other).map((gap) => (gap / 1_000).toFixed(1));
    console.log(`  ${load.summary()}`);
    console.log(`  time without an answered bet: median ${sorted[sorted.length >> 1]} s, longest ${sorted.at(-1)} s`);
    return problems;
  } finally {
    await stand.stop();
  }
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
  },
});
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
const problems = await drill(Number(values.kills), Number(values.seed), stopping.signal).catch((error: Error) => [
  error.message,
]);
for (const problem of problems) console.log(`  - ${problem}`);
console.log(problems.length === 0 ? 'PASS  0 lost, 0 twice' : 'FAIL');
// Players of a failed drill would continue to bet.
process.exit(problems.length === 0 ? 0 : 1);
