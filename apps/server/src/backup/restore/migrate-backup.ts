import { copyFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { MIGRATIONS, migrateTo, migrationsOf } from '../../platform/db/migrate.ts';
import {
  sweepScratchDatabases,
  NoScratchDatabase,
  withScratchDatabase,
  type ScratchDatabase,
} from '../../platform/db/scratch-database.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import { BackupDamaged, bytesOf, fileNameOf, type Manifest } from '../take/archive/manifest.ts';
import { foldersOf, type CompleteBackup } from '../keep/backup-folders.ts';
import { REAL_DISK, requireSpace, requireDatabaseSpace, type Disk } from '../keep/disk-space.ts';
import { requireOpener } from '../take/archive/encryption.ts';
import { loadOlder } from '../load/load-older.ts';
import type { BackupSettings } from '../take/own-backups.ts';
import { ROOT_LOG_EXTRACT } from '../backup-tables.ts';
import { takeBackup } from '../take/take-backup.ts';
import { withBusyWatch } from '../take/watch-busy.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS, BACKUP_STEPS, DAMAGE } from '../backup-texts.ts';

export interface UpdateOrder {
  readonly settings: BackupSettings;
  readonly disk?: Disk | undefined;
  readonly backup: CompleteBackup;
  readonly work: Work;
}

export async function isOlder({ schema }: Manifest, { migrations = MIGRATIONS }: BackupSettings): Promise<boolean> {
  const known = await migrationsOf(migrations);
  if (known.includes(schema)) return schema !== known.at(-1);
  throw new BackupDamaged(DAMAGE.otherVersion(schema));
}

/**
 * The backup is loaded into a scratch database, migrated, and backed up again; both copies are temporary. {@link
 * sweepMigrations} cleans up after crashes.
 */
export async function withMigratedBackup<T>(
  order: UpdateOrder,
  act: (backup: CompleteBackup) => Promise<T>,
): Promise<T> {
  const { settings, disk = REAL_DISK, backup, work } = order;
  const { manifest } = backup;
  if (!(await isOlder(manifest, settings))) return act(backup);
  const parent = path.dirname(backup.folder);
  const open = await requireOpener(manifest, settings.key);
  await requireSpace(disk, parent, bytesOf(manifest));
  try {
    return await withScratchDatabase(ownerUrlOf(settings), work.signal, async (scratch) => {
      const folder = path.join(parent, scratch.name);
      try {
        const progress = progressOf(manifest, work);
        const room = (): Promise<void> => requireDatabaseSpace(disk, settings.databaseDir, 0);
        const loading = { folder: backup.folder, manifest, open, signal: scratch.signal, read: progress.read, room };
        const networkId = await withBusyWatch((isBusy) =>
          loadMigrated(scratch, { ...loading, isBusy }, settings.migrations ?? MIGRATIONS),
        );
        const taken = await (settings.take ?? takeBackup)({
          connectionString: scratch.url,
          networkId,
          into: parent,
          name: scratch.name,
          by: manifest.by,
          takenAt: new Date(manifest.takenAt),
          key: manifest.recipient ?? undefined,
          signal: scratch.signal,
          progress: progress.copied,
          disk,
        });
        await scratch.drop();
        return await act({ name: backup.name, folder, manifest: await withRoot(taken, folder, backup) });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  } catch (error) {
    throw error instanceof NoScratchDatabase ? noDatabase(manifest, error) : error;
  }
}

/** Takes the root's fields from the older manifest, because the scratch database never loads the root's file. */
async function withRoot(
  taken: Manifest,
  folder: string,
  { folder: older, manifest }: CompleteBackup,
): Promise<Manifest> {
  const { rootLog, borderVersion, installation, isWithoutSecrets } = manifest;
  const unchanged = { rootLog, borderVersion, installation, ...(isWithoutSecrets && { isWithoutSecrets }) };
  const extract = manifest.files.find(({ table }) => table === ROOT_LOG_EXTRACT.table);
  if (!extract) return { ...taken, ...unchanged };
  const name = fileNameOf(extract.table, manifest);
  await copyFile(path.join(older, name), path.join(folder, name));
  const files = taken.files.map((file) => (file.table === extract.table ? extract : file));
  return { ...taken, ...unchanged, files };
}

export async function sweepMigrations({ db }: { readonly db: Queryable }, settings: BackupSettings): Promise<void> {
  const networks = await db.query<{ adminId: string }>(
    sql`select admin_id as "adminId" from networks where id <> ${ROOT_NETWORK}`,
  );
  const places = new Map<string, string[]>();
  for (const { adminId } of networks) {
    const at = foldersOf(settings.dir, adminId);
    for (const name of await readdir(at).catch(() => [])) places.set(name, [...(places.get(name) ?? []), at]);
  }
  await sweepScratchDatabases(ownerUrlOf(settings), places.keys(), async (name) => {
    for (const at of places.get(name) ?? []) await rm(path.join(at, name), { recursive: true, force: true });
  });
}

/** Possibly only the tables' owner may create databases. */
function ownerUrlOf({ connectionString, ownerConnectionString = connectionString }: BackupSettings): string {
  return ownerConnectionString();
}

function progressOf(manifest: Manifest, work: Work): { read: (bytes: number) => void; copied: Work['progress'] } {
  const bytes = bytesOf(manifest);
  let read = 0;
  const report = (done: number): void => work.progress(BACKUP_STEPS.updating, done, 2 * bytes);
  report(0);
  return {
    read: (more) => report((read += more)),
    copied: (_step, done, total) => report(bytes + (total > 0 ? (done / total) * bytes : 0)),
  };
}

async function loadMigrated(
  { url, signal }: ScratchDatabase,
  loading: Parameters<typeof loadOlder>[1],
  folder: string,
): Promise<number> {
  await migrateTo(url, { folder, schema: loading.manifest.schema, signal });
  const networkId = await loadOlder(url, loading);
  try {
    await migrateTo(url, { folder, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DatabaseUnavailable) throw error;
    throw new BackupDamaged(DAMAGE.notUpdatable((error as Error).message), { cause: error });
  }
  return networkId;
}

function noDatabase({ schema }: Manifest, why: NoScratchDatabase): CallError {
  return new CallError('RULE_REFUSED', {
    message: BACKUP_TEXTS.needsScratchDatabase(schema, why.message),
  });
}
