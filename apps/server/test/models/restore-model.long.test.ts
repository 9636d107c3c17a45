import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { it } from 'vitest';
import { TestApp } from '../harness.ts';
import { anyStep, GAMES, RestoreWorld } from '../worlds/restore-world.ts';

it('any events between backups leave balanced books after restore and undo, and other networks alone', async () => {
  await fc.assert(
    // Restores audit the whole database, so each run has its own.
    fc.asyncProperty(fc.array(anyStep, { minLength: 12, maxLength: 45, size: 'max' }), async (steps) => {
      const t = await TestApp.start();
      try {
        const bystander = await t.network({ credit: 70 });
        await t.bet(bystander.user, { 3: 4 });
        const commissions = { distributor: 2.5, user: 1 };
        const net = await t.network({ credit: 300, games: GAMES.slice(0, 1), commissions });
        const world = new RestoreWorld(t, net, bystander);
        for (const step of steps) await world.take(step);
        await t.app.tick();
        await t.expectBooksToBalance();
      } finally {
        await t.close();
      }
    }),
    {
      numRuns: Number(process.env['RESTORE_RUNS'] ?? 40),
      seed: Number(process.env['RESTORE_SEED'] ?? randomInt(2 ** 31)),
    },
  );
}, 3_600_000);
