import { parseArgs } from 'node:util';
import { foldersOf, listBackups, newFolderName } from './backup/backup-folders.ts';
import { sizeText } from './backup/size-text.ts';
import { takeBackup } from './backup/take-backup.ts';
import { verifyBackup } from './backup/verify-backup.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { withExistingDatabase } from './existing-database.ts';
import { LOOK, withClient } from './db/with-client.ts';

const BACK_UP = { verb: 'back up', noun: 'Back up' };
const USAGE = `Usage: npm run backup -- [--list | --verify] [ADMIN …]

  Backs up the network of each admin that is named, or all of them, into BACKUP_DIR.

  --list     says which backups there are
  --verify   reads each backup and compares it with its manifest

It ends with 0 where all went well, with 1 where something did not, and with 2 where it was not understood.`;

interface NamedNetwork {
  readonly id: number;
  readonly adminId: string;
  readonly username: string;
}

/** What is done with the networks; gives how often it went wrong. */
type Command = (config: Config, networks: readonly NamedNetwork[], address: string) => Promise<number>;

/** Backs up one after the other. Where one fails, the others are backed up all the same. */
const take: Command = async ({ backupDir, backupKey }, networks, address) => {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error('It was stopped.')));
  let failures = 0;
  for (const { id, adminId, username } of networks) {
    if (stop.signal.aborted) break;
    const takenAt = systemClock.now();
    const name = newFolderName(takenAt);
    try {
      const { files } = await takeBackup({
        connectionString: address,
        networkId: id,
        into: foldersOf(backupDir, adminId),
        name,
        by: 'npm run backup',
        takenAt,
        key: backupKey,
        signal: stop.signal,
      });
      console.log(`ok     ${username}  ${name}  ${sizeOf(files)}`);
    } catch (error) {
      failures++;
      console.error(`FAILED ${username}  ${(error as Error).message}`);
    }
  }
  return failures;
};

const list: Command = async ({ backupDir }, networks) => {
  for (const { adminId, username } of networks)
    for (const { name, manifest } of await listBackups(backupDir, adminId))
      console.log(
        `${username}  ${name}  ${typeof manifest === 'object' ? sizeOf(manifest.files) : (manifest ?? 'not finished')}`,
      );
  return 0;
};

const verify: Command = async ({ backupDir, backupKey }, networks) => {
  let failures = 0;
  for (const { adminId, username } of networks)
    for (const { name, folder } of await listBackups(backupDir, adminId)) {
      const { problems, areRowsCounted } = await verifyBackup(folder, backupKey);
      if (problems.length > 0) failures++;
      const unread =
        problems.length > 0 || areRowsCounted
          ? ''
          : '  (its rows can’t be read without the identity that it is encrypted for)';
      console.log(`${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${username}  ${name}${unread}`);
      for (const problem of problems) console.log(`       - ${problem}`);
    }
  return failures;
};

function sizeOf(files: readonly { readonly rows: number; readonly bytes: number }[]): string {
  const sum = (of: 'rows' | 'bytes'): number => files.reduce((all, file) => all + file[of], 0);
  return `${sum('rows').toLocaleString('en-US')} rows, ${sizeText(sum('bytes'))}`;
}

/** The networks of these admins, or all. Throws a sentence where one is not there. */
async function networksOf(address: string, usernames: readonly string[]): Promise<NamedNetwork[]> {
  const { rows } = await withClient(address, LOOK, (client) =>
    client.query<NamedNetwork>(
      `select n.id, a.id as "adminId", a.username from networks n join accounts a on a.id = n.admin_id
       where $1::text[] = '{}' or lower(a.username) = any($1) order by a.username`,
      [usernames.map((name) => name.toLowerCase())],
    ),
  );
  const found = new Set(rows.map(({ username }) => username.toLowerCase()));
  const missing = usernames.filter((name) => !found.has(name.toLowerCase()));
  if (missing.length > 0) throw new Error(`There is no admin of the name ${missing.join(', ')}.`);
  return rows;
}

/** The command `npm run backup`. */
async function main(args: readonly string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { list: { type: 'boolean' }, verify: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (parsed.values.list && parsed.values.verify) throw new Error('Give one of --list and --verify.');
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const command = values.list ? list : values.verify ? verify : take;
  const config = readConfig();
  return withExistingDatabase(config, BACK_UP, async (address) => {
    const failures = await command(config, await networksOf(address, positionals), address);
    return failures > 0 ? 1 : 0;
  });
}

if (import.meta.main)
  main(process.argv.slice(2)).then(
    (code) => (process.exitCode = code),
    (error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
