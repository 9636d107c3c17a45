import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import { keepWallKey } from '../../src/players/public-wall.ts';
import { FIRST_SUPERADMIN } from '../../src/compose/first-start.ts';
import { auditStagedNetwork } from '../../src/audit/audit.ts';
import { findBackup, type CompleteBackup } from '../../src/backup/keep/backup-folders.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createDrawMachine } from '../../src/settlement/draw-machine.ts';
import { createSeedVault } from '../../src/draws/seed/seeds.ts';
import { voidUnfinished } from '../../src/settlement/void-unfinished.ts';
import { createNetworkWork } from '../../src/activity/network-work/network-work.ts';
import { importNetwork, type ImportTools, type NetworkArgs } from '../../src/commands/run-network.ts';
import { TestApp, type SignedIn } from '../harness.ts';
import { TEST_SEAL_KEY } from '../test-seal-key.ts';

/** Test installations share a signing key. */
const NOBODY = { keys: [], unsigned: false };

/** Test databases share a template, so this superadmin gets its own id. */
export const OTHER_SUPERADMIN = `with renamed as materialized (
    select id, overlay(id::text placing left(md5(random()::text), 6) from 31)::uuid as new_id from accounts where role = 'superadmin'
  ),
    held as (update wallets w set owner_id = r.new_id from renamed r where w.owner_id = r.id)
  update accounts a set id = r.new_id, chain = array[r.new_id] from renamed r where a.id = r.id`;

export async function otherInstallation(): Promise<TestApp> {
  const t = await TestApp.start();
  await t.byHand(OTHER_SUPERADMIN);
  await t.db.query(`update pinned_settings set value = gen_random_uuid()::text where name = 'installation'`);
  return t;
}

export function toolsOf(
  { app, database, backupDir }: TestApp,
  through: (db: Database) => Database = (db) => db,
): ImportTools {
  const services = { ...app.services, db: through(app.services.db) };
  const connectionString = (): string => database.serverUrl;
  const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
  return {
    services,
    work: createNetworkWork({ db: services.db, clock: services.clock, connectionString }),
    parts: {
      services,
      settings: {
        connectionString,
        ownerConnectionString: () => database.ownerUrl,
        dir: backupDir,
        key: undefined,
        sealKey: TEST_SEAL_KEY,
      },
      voidUnfinished: (networkId, signal) => voidUnfinished(machine, networkId, signal),
      keepWallKey,
      audit: auditStagedNetwork,
    },
    stop: new AbortController().signal,
  };
}

export async function backUp(t: TestApp, admin: SignedIn): Promise<CompleteBackup> {
  const { folder } = await t.ok(exportBackup, {}, await t.signIn(admin.username));
  return (await findBackup(t.backupDir, admin._id, folder)) as CompleteBackup;
}

export function importBackup(
  to: TestApp,
  backup: CompleteBackup,
  wish: Partial<NetworkArgs & { what: 'import' }> = {},
  tools = toolsOf(to),
): Promise<void> {
  const usual = {
    what: 'import',
    file: backup.folder,
    under: undefined,
    renames: {},
    trust: NOBODY,
    isMeant: true,
  } as const;
  return importNetwork(tools, { ...usual, ...wish }, backup);
}

export async function moveTo(to: TestApp, from: TestApp, admin: SignedIn): Promise<void> {
  const backup = await backUp(from, admin);
  // Later than the source's last entry: ids of one instant have no order.
  to.clock.set(new Date(Math.max(from.clock.now().getTime(), to.clock.now().getTime()) + 1));
  await importBackup(to, backup);
  await activate(to, admin);
}

export async function activate(t: TestApp, { _id }: SignedIn): Promise<void> {
  const root = await t.signIn(FIRST_SUPERADMIN);
  await t.ok(accountRoutes.admin.toggleStatus, { params: { userId: _id, action: 'activate' } }, root);
}
