import { randomUUID } from 'node:crypto';
import { access, cp, mkdir, readdir, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateIdentity } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backupLosses, drillBackup, exportBackup, importBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { playNetwork } from '../../../test/worlds/audit-world.ts';
import { cutProxy } from '../../../test/processes/cut-proxy.ts';
import { TEST_SEAL_KEY_HEX } from '../../../test/test-seal-key.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { addMigration, makeOlder, rewriteManifest, type OlderOptions } from '../../../test/backups/older-backup.ts';
import { startCommand } from '../../../test/processes/server-process.ts';
import { digestsOf, rowCounts } from '../../../test/tampering/table-rows.ts';
import { migrateTo } from '../../platform/db/migrate.ts';
import { grantTo, roleOf } from '../../platform/db/connection/granted-rights.ts';
import { sweepMigrations, withMigratedBackup, type UpdateOrder } from './migrate-backup.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { REAL_DISK, type Disk } from '../keep/disk-space.ts';
import { requireManifest, type Manifest } from '../take/archive/manifest.ts';
import { takeBackupInChild } from '../take/take-backup-in-child.ts';

const LATER = '9001-later';
const LATER_SQL = `
  alter table wallets add column frozen boolean not null default false;
  create table added (network_id integer primary key);
  insert into added select id from networks;
  do $$ begin
    if exists (select from accounts where note = 'bad') then raise exception 'a note is bad'; end if;
  end $$;
  update accounts set note = substr(note, 5) where note like 'was %';
  call audited.make_views();`;

const rowBefore: OlderOptions['row'] = (table, row) =>
  table === 'accounts' ? { ...row, note: `was ${row['note']}` } : row;

let t: TestApp;
let net: Network;
let bystander: Network;
let folder: string;
let at: string;

async function backUp(): Promise<void> {
  ({ folder } = await t.ok(exportBackup, {}, net.admin));
  at = path.join(t.backupDir, net.admin._id, folder);
}
const drill = () => t.call(drillBackup, { body: { folder } }, net.admin);
const restore = () => t.call(importBackup, { query: { folder } }, net.admin);

async function databases(): Promise<string[]> {
  const rows = await t.db.query<{ name: string }>(
    `select datname::text as name from pg_database where datname like 'drawhouse_scratch_' ||
       (select oid from pg_database where datname = current_database()) || '%'`,
  );
  return rows.map(({ name }) => name);
}

async function scratches(): Promise<{ databases: number; folders: number }> {
  const folders = await readdir(path.join(t.backupDir, net.admin._id));
  return {
    databases: (await databases()).length,
    folders: folders.filter((name) => name.startsWith('drawhouse')).length,
  };
}
const NOTHING = { databases: 0, folders: 0 };

async function counts(): Promise<Record<string, number>> {
  return { ...(await rowCounts(t.db)), network_work: 0, activity: 0 };
}

describe('a backup of an older schema', () => {
  let migrations: string;
  let free = 1e12;

  beforeAll(async () => {
    migrations = await addMigration(LATER, LATER_SQL);
    t = await TestApp.start({ migrations, backupParts: { disk: { ...REAL_DISK, free: async () => free } } });
    await migrateTo(t.database.ownerUrl, { folder: migrations, signal: new AbortController().signal });
    await grantTo(t.database.ownerUrl, roleOf(t.database.serverUrl));
    ({ net } = await playNetwork(t, { confirmed: false }));
    bystander = await t.network({ credit: 70 });
    await backUp();
  });
  afterAll(async () => {
    await t.close();
    await rm(migrations, { recursive: true });
  });

  const rowsOf = (networkId: number) => ({
    exposures: t.db.query('select draw_id, bet_key, stake from exposures where network_id = $1 order by 1, 2', [
      networkId,
    ]),
    accounts: t.db.query('select id, username, note from accounts where network_id = $1 order by id', [networkId]),
    frozen: t.db.query('select distinct frozen from wallets where network_id = $1', [networkId]),
  });
  const digests = async (of: Network) => digestsOf(t.db, of.networkId);

  it('is migrated, tested and restored, and passes the audit', async () => {
    const before = await Promise.all(Object.values(rowsOf(net.networkId)));
    expect(before.map((rows) => rows.length > 0)).toEqual([true, true, true]);
    await makeOlder(t.database.ownerUrl, at, { folder: migrations, row: rowBefore });
    const { files, schema } = await requireManifest(at);
    expect(schema).not.toBe(LATER);
    expect(files.find(({ table }) => table === 'wallets')!.columns).not.toContain('frozen');
    t.clock.advance(1_000);
    await t.bet(net.user, { 4: 2 });
    const [elsewhere, rows] = [await digests(bystander), await counts()];

    expect((await drill()).body).toMatchObject({ problems: [] });
    expect(await counts()).toEqual(rows);
    expect(await t.ok(backupLosses, { query: { folder } }, net.admin)).toMatchObject({
      lost: { tickets: 1, accounts: 0 },
      kept: { payments: 0, weeks: 0 },
      namesTaken: [],
    });
    free = 1e9;
    const message: unknown = expect.stringMatching(/^Not enough disk space for a backup: .* Nothing was changed\.$/);
    expect(await t.call(backupLosses, { query: { folder } }, net.admin)).toMatchObject({
      status: 422,
      body: { message },
    });
    expect(await drill()).toMatchObject({ status: 422, body: { message } });
    free = 1e12;
    expect((await restore()).body).toMatchObject({ success: true });
    expect(await scratches()).toEqual(NOTHING);
    await t.expectBooksToBalance();
    expect(await digests(bystander)).toEqual(elsewhere);
    const [now] = await t.db.query<{ id: number }>('select id from networks where admin_id = $1', [net.admin._id]);
    const after = await Promise.all(Object.values(rowsOf(now!.id)));
    expect(now!.id).not.toBe(net.networkId);
    expect(after).toEqual(before);
  });

  it('is refused if a migration refuses it, with the reason', async () => {
    Object.assign(net.admin, await t.signIn(net.admin.username));
    await backUp();
    const row: OlderOptions['row'] = (table, then) => (table === 'accounts' ? { ...then, note: 'bad' } : then);
    await makeOlder(t.database.ownerUrl, at, { folder: migrations, row });
    const rows = await counts();
    const why = 'it can’t be updated to this version: a note is bad';
    expect((await drill()).body).toMatchObject({ problems: [expect.stringContaining(why)] });
    expect(await restore()).toMatchObject({ status: 422, body: { message: expect.stringContaining(why) } });
    expect([await counts(), await scratches()]).toEqual([rows, NOTHING]);
  });
});

describe('a backup of the previous schema', () => {
  let key: string;
  let kept: string;
  let settings: UpdateOrder['settings'];
  const never = new AbortController().signal;

  beforeAll(async () => {
    key = await generateIdentity();
    t = await TestApp.start({ backupKey: key });
    ({ net } = await playNetwork(t, { confirmed: false }));
    settings = {
      connectionString: () => t.database.serverUrl,
      ownerConnectionString: () => t.database.ownerUrl,
      dir: t.backupDir,
      key,
    };
    await backUp();
    await makeOlder(t.database.ownerUrl, at, { key });
    kept = path.join(t.backupDir, 'kept');
    await cp(at, kept, { recursive: true });
  });
  afterAll(async () => {
    await rm(kept, { recursive: true });
    await t.close();
  });
  beforeEach(async () => {
    await rm(at, { recursive: true });
    await cp(kept, at, { recursive: true });
  });

  const whole = async (): Promise<CompleteBackup> => ({
    name: folder,
    folder: at,
    manifest: await requireManifest(at),
  });
  const bringUp = async <T>(
    act: (backup: CompleteBackup) => Promise<T>,
    { signal = never, progress = () => undefined, ...changed }: Partial<UpdateOrder & UpdateOrder['work']> = {},
  ): Promise<T> => withMigratedBackup({ settings, backup: await whole(), work: { signal, progress }, ...changed }, act);

  it('is never stored decrypted, and its database is dropped early', async () => {
    const { manifest: then } = await whole();
    const reported: string[] = [];
    const progress = (...[step, done, total]: [string, number, number]): void =>
      void reported.push(`${step} ${Math.round((100 * done) / total)} %`);
    await bringUp(
      async ({ name, folder: copy, manifest }) => {
        expect(name).toBe(folder);
        expect(manifest).toMatchObject({ takenAt: then.takenAt, recipient: then.recipient, rootLog: then.rootLog });
        const files = (await readdir(copy)).filter((file) => file !== 'manifest.json');
        expect(files.filter((file) => !file.endsWith('.zst.age'))).toEqual([]);
        expect(await scratches()).toEqual({ databases: 0, folders: 1 });
        await sweepMigrations(t.app.services, settings);
        await access(copy);
      },
      { progress, settings: { ...settings, take: takeBackupInChild } },
    );
    expect([reported.at(0), reported.at(-1)]).toEqual(['Updating the backup 0 %', 'Updating the backup 100 %']);
    expect(await scratches()).toEqual(NOTHING);
  });

  it('has a database that only its owner can read', async () => {
    const allowed = new Set<boolean>();
    let looked: Promise<unknown> = Promise.resolve();
    const look = async (): Promise<void> => {
      for (const { may } of await t.db.query<{ may: boolean }>(
        `select has_database_privilege($1::name, oid, 'connect') as may from pg_database where datname like 'drawhouse_scratch_' ||
           (select oid from pg_database where datname = current_database()) || '%'`,
        [roleOf(t.database.serverUrl)],
      ))
        allowed.add(may);
    };
    const { ownerConnectionString: connectionString, ...rest } = settings;
    const progress = (): void => void (looked = look());
    await bringUp(async () => undefined, { progress, settings: { ...rest, connectionString: connectionString! } });
    await looked;
    expect([...allowed]).toEqual([false]);
  });

  it('leaves nothing, whenever it is killed', async () => {
    const rows = await counts();
    for (const share of [0, 0.2, 0.5, 0.7, 1]) {
      const stop = new AbortController();
      const progress = (_step: string, done: number, total: number): void =>
        void (done >= share * total && stop.abort(new Error(`ended at ${share}`)));
      const ended = bringUp(async () => stop.signal.throwIfAborted(), { signal: stop.signal, progress });
      await expect(ended).rejects.toThrow(`ended at ${share}`);
      expect(await scratches(), `ended at ${share}`).toEqual(NOTHING);
    }
    await expect(bringUp(() => Promise.reject(new Error('failed after it')))).rejects.toThrow('failed after it');
    expect([await counts(), await scratches()]).toEqual([rows, NOTHING]);
  });

  it('leaves nothing when the server stops', async () => {
    const rows = await counts();
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const disk: Disk = {
      ...REAL_DISK,
      async free(place) {
        if (path.basename(place).startsWith('drawhouse')) resolve();
        return REAL_DISK.free(place);
      },
    };
    const server = await t.beside({ backupKey: key, backupParts: { disk } });
    const cut = server.call(importBackup, { query: { folder } }, net.admin);
    await Promise.race([reached, cut]);
    await server.close();
    expect((await cut).body).toMatchObject({ code: 'NOT_READY' });
    expect([await counts(), await scratches()]).toEqual([rows, NOTHING]);
    await t.expectBooksToBalance();
  });

  describe('is refused without changes', () => {
    async function refused(saying: string): Promise<void> {
      await expect(bringUp(async () => undefined)).rejects.toThrow(saying);
      expect(await scratches()).toEqual(NOTHING);
    }
    const rewrite = (change: (files: Manifest['files']) => Manifest['files']): Promise<void> =>
      rewriteManifest(at, (of) => ({ ...of, files: change(of.files) }));

    it('if a file is truncated', async () => {
      await truncate(path.join(at, 'wallets.zst.age'), 100);
      const rows = await counts();
      const reply = await restore();
      const message: unknown = expect.stringMatching(
        /^This backup can’t be restored: wallets.zst.age .* Nothing was changed\.$/,
      );
      expect(reply).toMatchObject({ status: 422, body: { message } });
      expect([await counts(), await scratches()]).toEqual([rows, NOTHING]);
      expect(await t.call(listBackups, {}, net.admin), 'the session lives on').toMatchObject({ status: 200 });
    });
    it('if a table is missing', async () => {
      await rewrite((files) => files.filter(({ table }) => table !== 'idempotency_keys'));
      await refused('its manifest is incomplete');
    });
    it('if a table occurs twice', async () => {
      await rewrite((files) => [...files, files[0]!]);
      await refused('its manifest has no file of the table');
    });
    it("if a table has columns unlike its version's", async () => {
      await rewrite((files) =>
        files.map((file) => (file.table === 'tickets' ? { ...file, columns: file.columns.toReversed() } : file)),
      );
      await refused('its manifest has no file of the table tickets as in its version');
    });
    it('if it contains database objects', async () => {
      await rewrite((files) => [...files, { ...files[0]!, table: 'migrations', columns: ['id', 'name', 'run_on'] }]);
      await refused('its manifest has no file of the table migrations');
    });
    it('if wallets hold other amounts', async () => {
      await rewriteManifest(at, (of) => ({ ...of, wallets: of.wallets.map((sums) => ({ ...sums, balance: '1' })) }));
      await refused('its wallets do not match its manifest');
    });
    it('if rows do not match', async () => {
      const orphan: OlderOptions['row'] = (table, row) =>
        table === 'accounts' && row['role'] === 'user' ? { ...row, parent_id: randomUUID() } : row;
      await makeOlder(t.database.ownerUrl, at, { key, row: orphan });
      await refused('its contents are inconsistent');
    });
    it('if accounts lack their admin', async () => {
      await rewriteManifest(at, (of) => ({ ...of, admin: { ...of.admin, id: net.user._id } }));
      await refused('its accounts do not include its admin');
    });
    it('if another version took it', async () => {
      await rewriteManifest(at, (of) => ({ ...of, schema: '0012-other' }));
      await refused('it was taken by another version of Drawhouse (0012-other): restore it with that version');
      expect(await t.call(backupLosses, { query: { folder } }, net.admin)).toMatchObject({ status: 422 });
    });
    it('if the disk is full', async () => {
      const disk = { free: async () => 1e9, checkEveryBytes: 64e6 };
      await expect(bringUp(async () => undefined, { disk })).rejects.toThrow('Not enough disk space for a backup');
      expect(await scratches()).toEqual(NOTHING);
    });
    it('if the role may not create databases, without calling it damaged', async () => {
      const server = await t.beside({ backupKey: key, isOwnerless: true });
      const reply = await server.call(drillBackup, { body: { folder } }, net.admin);
      expect(reply).toMatchObject({ status: 422, body: { message: expect.stringContaining('(CREATEDB)') } });
      const { backups } = await server.ok(listBackups, {}, net.admin);
      expect(backups.find(({ name }) => name === folder)).toMatchObject({ state: 'whole' });
      await server.close();
    });
  });

  const command = (args: string[], ownerUrl = t.database.ownerUrl) =>
    startCommand(fileURLToPath(new URL('../../commands/run-restore.ts', import.meta.url)), args, {
      DATABASE_URL: t.database.serverUrl,
      DATABASE_OWNER_URL: ownerUrl,
      BACKUP_DIR: t.backupDir,
      BACKUP_KEY: key,
      SEED_KEY: '5a'.repeat(32),
      SEAL_KEY: TEST_SEAL_KEY_HEX,
    });

  it('is migrated by the command too; leftovers of a kill go within the hour', async () => {
    for (const name of await readdir(path.dirname(at)))
      if (name !== folder) await rm(path.join(path.dirname(at), name), { recursive: true });
    expect(await command(['--try', net.admin.username]).ended).toEqual({
      code: 0,
      output: `ok     ${net.admin.username}  ${folder} can be restored.\n`,
    });
    const rows = await counts();
    const through = new URL(t.database.ownerUrl);
    const proxy = await cutProxy(Number(through.port), 'CREATE DATABASE');
    through.port = String(proxy.port);
    const { child, ended } = command([net.admin.username, '--yes'], through.href);
    expect(await Promise.race([proxy.held, ended])).toBeUndefined();
    child.kill('SIGKILL');
    await ended;
    await proxy.close();
    const [name] = await databases();
    await mkdir(path.join(path.dirname(at), name!), { recursive: true });
    expect(await scratches()).toEqual({ databases: 1, folders: 1 });
    await expect
      .poll(async () => {
        t.clock.advance(3_600_000);
        await t.app.tick();
        return scratches();
      })
      .toEqual(NOTHING);
    expect({ ...(await counts()), draws: 0 }).toMatchObject({ accounts: rows['accounts'], tickets: rows['tickets'] });
    await t.expectBooksToBalance();
  });
});
