import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TestApp } from '../harness.ts';
import { anyStep, GAMES, RestoreWorld } from '../worlds/restore-world.ts';
import { TestSeals } from '../worlds/sealed-world.ts';

it('the audit accepts any history of a network sealed at any time', async () => {
  const steps = fc.array(fc.tuple(anyStep, fc.boolean()), { minLength: 12, maxLength: 45, size: 'max' });
  await fc.assert(
    // Every step audits the whole database, so each run has its own.
    fc.asyncProperty(steps, async (taken) => {
      const t = await TestApp.start();
      const seals = await TestSeals.make(t.database);
      try {
        const bystander = await t.network({ credit: 70 });
        const commissions = { distributor: 2.5, user: 1 };
        const net = await t.network({ credit: 300, games: GAMES.slice(0, 1), commissions });
        const world = new RestoreWorld(t, net, bystander);
        for (const [step, isSealed] of taken) {
          await world.take(step);
          if (isSealed) await seals.seal();
          expect({ step: step.do, problems: await seals.problems() }).toEqual({ step: step.do, problems: [] });
        }
      } finally {
        await t.close();
        await seals.remove();
      }
    }),
    { numRuns: 15, seed: randomInt(2 ** 31) },
  );
});
