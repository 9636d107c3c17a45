import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, it, vi } from 'vitest';
import type { Network, TestApp } from '../harness.ts';
import { moveTo, otherInstallation } from '../backups/move-tools.ts';
import { anyStep, GAMES, RestoreWorld } from '../worlds/restore-world.ts';

let installations: { readonly t: TestApp; readonly bystander: Network }[];

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  installations = [];
  for (let nth = 0; nth < 3; nth++) {
    const t = await otherInstallation();
    const bystander = await t.network({ credit: 70 });
    await t.bet(bystander.user, { 3: 4 });
    installations.push({ t, bystander });
  }
});
afterAll(async () => {
  await Promise.all(installations.map(({ t }) => t.close()));
});

it('a network with any history balances after moving once and twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyStep, { minLength: 8, maxLength: 30, size: 'max' }), { minLength: 3, maxLength: 3 }),
      async (journeys) => {
        const [first] = installations;
        const net = await first!.t.network({ credit: 300, games: GAMES.slice(0, 1), commissions: { user: 1 } });
        for (const [nth, steps] of journeys.entries()) {
          const { t, bystander } = installations[nth]!;
          const world = new RestoreWorld(t, net, bystander);
          for (const step of steps) await world.take(step);
          await t.expectBooksToBalance();
          const next = installations[nth + 1];
          if (!next) return;
          await moveTo(next.t, t, net.admin);
          await next.t.expectBooksToBalance();
        }
      },
    ),
    {
      numRuns: Number(process.env['MOVE_RUNS'] ?? 15),
      seed: Number(process.env['MOVE_SEED'] ?? randomInt(2 ** 31)),
    },
  );
});
