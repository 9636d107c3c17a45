import { randomInt } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import fc from 'fast-check';
import { afterAll, beforeAll, it, vi } from 'vitest';
import { FIRST_SUPERADMIN } from '../src/app.ts';
import { audit, auditTrial } from '../src/audit/audit.ts';
import { findBackup } from '../src/backup/backup-folders.ts';
import type { WholeBackup } from '../src/backup/backup-folders.ts';
import { createDrawMachine } from '../src/draws/draw-machine.ts';
import { createSeedVault } from '../src/draws/seeds.ts';
import { voidUnfinished } from '../src/draws/void-unfinished.ts';
import { createNetworkWork } from '../src/network-work/network-work.ts';
import { importNetwork } from '../src/run-network.ts';
import type { ImportTools } from '../src/run-network.ts';
import { ticketHooks } from '../src/tickets/ticket-hooks.ts';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';
import { howMuch } from './how-much.ts';
import { anyStep, GAMES, RestoreWorld } from './restore-world.ts';

/** The installations that networks go round. */
let installations: { readonly t: TestApp; readonly bystander: Network }[];

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  installations = [];
  for (let nth = 0; nth < 3; nth++) {
    const t = await TestApp.start();
    await t.db.query(`update pinned_settings set value = gen_random_uuid()::text where name = 'installation'`);
    const bystander = await t.network({ credit: 70 });
    await t.bet(bystander.user, { 3: 4 });
    installations.push({ t, bystander });
  }
});
afterAll(async () => {
  await Promise.all(installations.map(({ t }) => t.close()));
});

/** What the command `npm run network` works with, by the clock of a test. */
function toolsOf({ app: { services }, database, backupDir }: TestApp): ImportTools {
  const connectionString = (): string => database.serverUrl;
  const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)), ticketHooks(services));
  return {
    services,
    work: createNetworkWork({ db: services.db, clock: services.clock, connectionString }),
    parts: {
      services,
      settings: { connectionString, dir: backupDir, key: undefined },
      voidUnfinished: (networkId, signal) => voidUnfinished(machine, networkId, signal),
      audit,
      auditTrial,
    },
    stop: new AbortController().signal,
  };
}

/** Takes the newest backup of a network in. */
async function move(from: TestApp, to: TestApp, net: Network): Promise<void> {
  const admin = await from.signIn(net.admin.username);
  const { folder } = await from.ok(exportBackup, {}, admin);
  const backup = (await findBackup(from.backupDir, net.admin._id, folder)) as WholeBackup;
  const wish = { what: 'import', file: folder, under: undefined, renames: {}, isMeant: true } as const;
  to.clock.set(new Date(Math.max(from.clock.now().getTime(), to.clock.now().getTime()) + 1000));
  await importNetwork(toolsOf(to), wish, backup);
  await to.expectBooksToBalance();
  const root = await to.signIn(FIRST_SUPERADMIN);
  await to.ok(accountRoutes.admin.toggleStatus, { params: { userId: net.admin._id, action: 'activate' } }, root);
}

it('whatever happened to a network in one installation, its books are right in the next, and the one after', async () => {
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
          await move(t, next.t, net);
        }
      },
    ),
    {
      numRuns: Number(process.env['MOVE_RUNS'] ?? howMuch(1, 15)),
      seed: Number(process.env['MOVE_SEED'] ?? howMuch(20_261_125, randomInt(2 ** 31))),
      endOnFailure: process.env['TEST_LONG'] === undefined,
    },
  );
}, 1_800_000);
