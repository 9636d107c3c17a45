import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { startReplicatedPair } from '../../apps/server/test/processes/standby.ts';
import { pause } from '../../tools/demo/client.ts';
import { createSeededRandom } from '../torture/load/random.ts';
import { makeLoad } from '../torture/load/torture-load.ts';
import { FailoverStand } from './failover-stand.ts';

const ROUNDS = 2;
const WITHOUT_PRIMARY_MS = 2_000;

it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  'loses no acknowledged bet and takes none twice when the primary is killed and its standby promoted, round %i',
  async () => {
    const seed = Number(process.env['TORTURE_SEED'] ?? randomInt(2 ** 31));
    const random = createSeededRandom(seed);
    const pair = await startReplicatedPair();
    const stand = await FailoverStand.start({ ...pair, superuserUrl: pair.ownerUrl });
    try {
      const load = await makeLoad(stand, { networks: 1, playersEach: 8, atOnce: 2 }, random.fork());
      load.play();
      await load.untilRunning();
      await pause(random.next() * 1_000);
      pair.primary.kill();
      load.killed(new Date());
      await pause(random.next() * WITHOUT_PRIMARY_MS);
      await pair.promote();
      await stand.untilReady();
      await load.untilRunning();
      const problems = await load.check();
      console.log(`TORTURE_SEED=${seed}: ${load.summary()}`);
      expect(problems).toEqual([]);
    } finally {
      await stand.stop();
    }
  },
);
