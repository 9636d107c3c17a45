import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { TestApp } from '../harness.ts';
import type { Network } from '../harness.ts';
import { anyStep, GAMES, RestoreWorld } from '../worlds/restore-world.ts';

let t: TestApp;
let bystander: Network;

beforeAll(async () => {
  t = await TestApp.start();
  bystander = await t.network({ credit: 70 });
  await t.bet(bystander.user, { 3: 4 });
});
afterAll(() => t.close());

it('any events between backups leave balanced books after restore and undo, and other networks alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 12, maxLength: 45, size: 'max' }), async (steps) => {
      const world = new RestoreWorld(
        t,
        await t.network({ credit: 300, games: GAMES.slice(0, 1), commissions: { distributor: 2.5, user: 1 } }),
        bystander,
      );
      for (const step of steps) await world.take(step);
      await t.app.tick();
      await t.expectBooksToBalance();
    }),
    {
      numRuns: Number(process.env['RESTORE_RUNS'] ?? 40),
      // Fixed seed for few runs, so only real regressions fail.
      seed: Number(process.env['RESTORE_SEED'] ?? randomInt(2 ** 31)),
      endOnFailure: process.env['TEST_LONG'] === undefined,
    },
  );
}, 1_800_000);
