import { parseArgs } from 'node:util';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import {
  recordCheck,
  findBackup,
  readBackups,
  removeBackup,
  type BackupFolder,
} from '../backup/keep/backup-folders.ts';
import { backUpNetwork, evidenceUntil, isEvidence } from '../backup/take/back-up-network.ts';
import { toDiskError, sizeText } from '../backup/keep/disk-space.ts';
import { lowerPriority } from '../backup/take/take-backup-in-child.ts';
import { verifyBackup, type Verified } from '../backup/keep/verify-backup.ts';
import { createNetworkWork, type NetworkWork } from '../activity/network-work/network-work.ts';
import { systemClock } from '../platform/time/clock.ts';
import { runCommandLine, withExistingDatabase } from './command-line.ts';
import { readConfig, type Config } from '../config/config.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { connect, type Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { findSealKey } from '../transparency/transparency.ts';
import { PROBE_TIMEOUTS, withClient } from '../platform/db/connection/dedicated-connections.ts';
import { COMMAND_TEXTS, BACKUP_COMMAND } from './commands-texts.ts';
import { timeWords } from '../protection/protection-texts.ts';

const BACK_UP = { verb: 'back up', noun: 'Back up' };
const USAGE = `Usage: npm run backup -- [--list | --verify] [ADMIN …]
       npm run backup -- delete ADMIN FOLDER

  Backs up the network of each named admin, or all networks, into BACKUP_DIR.

  delete     deletes a backup of an admin for good. A backup taken before a
             clearing or a restore can only be deleted this way, and only 90
             days after it was taken

  --list     lists the backups
  --verify   reads each backup and compares it with its manifest

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

export interface NamedNetwork {
  readonly id: number;
  readonly adminId: string;
  readonly username: string;
}

interface Tools {
  readonly config: Config;
  readonly address: string;
  readonly db: Database;
  readonly work: NetworkWork;
}

type Command = (tools: Tools, networks: readonly NamedNetwork[]) => Promise<number>;

const BY = 'npm run backup';

export function stoppedBySignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new CallError('NOT_READY', { message: BACKUP_COMMAND.stopped })));
  return stop.signal;
}

const take: Command = async ({ config, address, work }, networks) => {
  lowerPriority();
  const sealKey = (await findSealKey(config))?.privateKey;
  const stop = stoppedBySignal();
  let failures = 0;
  for (const { id, adminId, username } of networks) {
    if (stop.aborted) break;
    try {
      const { name, manifest } = await work.run({ adminId, kind: 'backup', by: BY }, async ({ signal, progress }) => {
        const place = { connectionString: () => address, dir: config.backupDir, key: config.backupKey, sealKey };
        return backUpNetwork({ clock: systemClock }, place, {
          admin: { id: adminId, networkId: id },
          by: BY,
          signal: AbortSignal.any([stop, signal]),
          progress,
        }).catch((error: unknown) => {
          throw toDiskError(error);
        });
      });
      console.log(`ok     ${username}  ${name}  ${sizeOf(manifest.files)}`);
    } catch (error) {
      failures++;
      console.error(COMMAND_TEXTS.failed(username, (error as Error).message));
    }
  }
  return failures;
};

const list: Command = async ({ config: { backupDir } }, networks) => {
  for (const { adminId, username } of networks)
    for (const { name, manifest } of await readBackups(backupDir, adminId))
      console.log(
        `${username}  ${name}  ${typeof manifest === 'object' ? sizeOf(manifest.files) : (manifest ?? 'unfinished')}`,
      );
  return 0;
};

/** Locks each backup and records the outcome, like the Backups page. */
const verify: Command = async ({ config: { backupDir, backupKey }, work }, networks) => {
  let failures = 0;
  for (const { adminId, username } of networks) {
    const found = work.run({ adminId, kind: 'check', by: BY }, async ({ signal, progress }) => {
      for (const backup of await readBackups(backupDir, adminId)) {
        const verified = await verifyBackup(backup.folder, { key: backupKey, signal, progress });
        if (typeof backup.manifest === 'object') await recordCheck(backup.folder, systemClock.now(), verified);
        if (verified.problems.length > 0) failures++;
        reportVerified(username, backup.name, verified);
      }
    });
    await found.catch((error: Error) => {
      failures++;
      console.error(COMMAND_TEXTS.failed(username, error.message));
    });
  }
  return failures;
};

function remove(folder: string): Command {
  return async ({ config: { backupDir }, db, work }, [network]) => {
    const { adminId, username } = network!;
    await work.run({ adminId, kind: 'deletion', by: BY }, async () => {
      const backup = await findBackup(backupDir, adminId, folder);
      if (!backup) throw new Error(COMMAND_TEXTS.noBackup(username, folder));
      requireDeletable(backup, systemClock.now());
      await removeBackup(backup);
      const services = { clock: systemClock, newId: createUuid7(systemClock) };
      await db.transaction((tx) =>
        appendActivity(tx, ROOT_NETWORK, services, [
          {
            accountId: null,
            username: SYSTEM,
            subject: BACKUP_COMMAND.subject(folder, username),
            origin: { ...NOWHERE, url: BY },
            detail: { deletedBackup: folder, of: username },
          },
        ]),
      );
    });
    console.log(BACKUP_COMMAND.deleted(username, folder));
    return 0;
  };
}

function requireDeletable({ name, manifest }: BackupFolder, now: Date): void {
  if (typeof manifest !== 'object' || !isEvidence(manifest)) return;
  const until = evidenceUntil(manifest);
  if (now < until) throw new Error(BACKUP_COMMAND.isEvidence(name, timeWords(until, manifest.timeZone)));
}

function reportVerified(username: string, name: string, { problems, areRowsCounted }: Verified): void {
  const isRight = problems.length === 0;
  const unread = isRight && !areRowsCounted ? BACKUP_COMMAND.rowsUnread : '';
  console.log(`${isRight ? 'ok   ' : 'WRONG'}  ${username}  ${name}${unread}`);
  for (const problem of problems) console.log(`       - ${problem}`);
}

function sizeOf(files: readonly { readonly rows: number; readonly bytes: number }[]): string {
  const sum = (of: 'rows' | 'bytes'): number => files.reduce((all, file) => all + file[of], 0);
  return `${sum('rows').toLocaleString('en-US')} rows, ${sizeText(sum('bytes'))}`;
}

/** Default: all. */
export async function networksOf(address: string, usernames: readonly string[]): Promise<NamedNetwork[]> {
  const names = usernames.map((name) => name.toLowerCase());
  const { rows } = await withClient(address, PROBE_TIMEOUTS, (client) =>
    client.query<NamedNetwork>(
      sql`select n.id, a.id as "adminId", a.username from networks n join accounts a on a.id = n.admin_id
       where ${names}::text[] = '{}' or lower(a.username) = any(${names}) order by lower(a.username) collate natural_order`,
    ),
  );
  const found = new Set(rows.map(({ username }) => username.toLowerCase()));
  const missing = usernames.filter((name) => !found.has(name.toLowerCase()));
  if (missing.length > 0) throw new Error(BACKUP_COMMAND.noAdmin(missing.join(', ')));
  return rows;
}

interface BackupWish {
  readonly command: Command;
  readonly admins: readonly string[];
}

const DELETE = 'delete';

function readBackupWish(args: readonly string[]): BackupWish {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { list: { type: 'boolean' }, verify: { type: 'boolean' } },
  });
  if (values.list && values.verify) throw new Error(BACKUP_COMMAND.listOrVerify);
  const [first, admin, folder, ...rest] = positionals;
  if (first === DELETE && folder !== undefined) {
    if (rest.length > 0 || values.list || values.verify) throw new Error(BACKUP_COMMAND.adminAndFolder);
    return { command: remove(folder), admins: [admin!] };
  }
  return { command: values.list ? list : values.verify ? verify : take, admins: positionals };
}

function run({ command, admins }: BackupWish): Promise<number> {
  const config = readConfig();
  return withExistingDatabase(config, BACK_UP, async (address) => {
    const networks = await networksOf(address, admins);
    const db = connect(address, { onError: () => {}, poolSize: 2 });
    try {
      const work = createNetworkWork({ db, clock: systemClock, connectionString: () => address });
      return (await command({ config, address, db, work }, networks)) > 0 ? 1 : 0;
    } finally {
      await db.close();
    }
  });
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: readBackupWish, run });
