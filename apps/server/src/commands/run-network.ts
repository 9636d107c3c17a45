import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { pointsText } from '@drawhouse/contract/core/primitives';
import { reserveMovedAdmin } from '../accounts/move/moved-admin.ts';
import { createArchive } from '../backup/take/archive/archive.ts';
import { backUpNetwork } from '../backup/take/back-up-network.ts';
import { findBackup, type CompleteBackup } from '../backup/keep/backup-folders.ts';
import { OWN_FILE, syncFolder } from '../platform/db/embedded/durable-file.ts';
import { slipLines } from '../backup/restore/issue-reset-slips.ts';
import { moveNetwork, requireMovable } from '../backup/move/move-network.ts';
import { requireManifest, type Manifest } from '../backup/take/archive/manifest.ts';
import type { BackupTrust } from '../backup/take/archive/sign-manifest.ts';
import { sizeText } from '../backup/keep/disk-space.ts';
import { openArchive } from '../backup/load/unpack-archive.ts';
import { verifyBackup } from '../backup/keep/verify-backup.ts';
import { callerFile, runCommandLine, withExistingDatabase } from './command-line.ts';
import { systemClock } from '../platform/time/clock.ts';
import { readConfig, type Config } from '../config/config.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { moveAdmin, superadminOf, undoAdminMove, type MoveWish, type UndoWish } from './move-admin.ts';
import { networksOf, stoppedBySignal } from './run-backup.ts';
import { readRenames, readTrust, TRUST_OPTIONS, withRestoreTools, type RestoreTools } from './run-restore.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { NETWORK_COMMAND } from './commands-texts.ts';
import { timeWords } from '../protection/protection-texts.ts';

const USAGE = `Usage: npm run network -- export ADMIN FILE [--backup FOLDER]
       npm run network -- verify FILE
       npm run network -- move ADMIN --to CELL --settings FILE [--under SUPERADMIN]
       npm run network -- undo ADMIN --settings FILE
       npm run network -- import FILE [--under SUPERADMIN] [--rename OLD=NEW …]
                                 [--trust-key KEY | --unsigned] [--yes]

  Moves the network of an admin to another installation.

  export     backs up the network and writes the backup as one archive; with --backup an existing backup
  verify     reads an archive and compares it with its manifest; needs no database
  import     imports the network of an archive below a superadmin of this installation. Its admin stays inactive until the superadmin
             activates it. Without --yes it only shows what the archive contains
  move       moves the network to another cell of the group while open draws continue. It is closed meanwhile. If the move fails, run
             it again
  undo       undoes the last move, run in the cell that the network left: it returns unchanged. Only within a day, and while
             nothing has happened in the network since
  --settings the settings of the other cell, such as its drawhouse.env: lines NAME=value
  --rename   a new username for one that is taken here
  --trust-key  accepts a backup signed by this key of another installation,
             as shown there by export and verify
  --unsigned accepts an unsigned backup

  Import and verify also accept the folder of a backup instead of an archive. Encrypted ones need the BACKUP_KEY of their installation.

Exit codes: 0 success, 1 failure, 2 wrong usage.`;

const BY = 'npm run network';
const EXPORT = { verb: 'export', noun: 'Export' };
const IMPORT = { verb: 'import into', noun: 'Import' };
/** Unpack folders. Old ones belong to killed processes. */
const UNPACKED = 'drawhouse-moving-';
const UNPACKED_NAME = /^drawhouse-moving-[A-Za-z0-9]{6}$/;
const LEFT_MS = 24 * 3_600_000;

export type NetworkArgs =
  | { readonly what: 'export'; readonly admin: string; readonly file: string; readonly backup: string | undefined }
  | { readonly what: 'verify'; readonly file: string }
  | {
      readonly what: 'import';
      readonly file: string;
      readonly under: string | undefined;
      readonly renames: Readonly<Record<string, string>>;
      readonly trust: BackupTrust;
      readonly isMeant: boolean;
    }
  | MoveWish
  | UndoWish;

export function parseNetworkArgs(args: readonly string[]): NetworkArgs {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      backup: { type: 'string' },
      under: { type: 'string' },
      to: { type: 'string' },
      settings: { type: 'string' },
      ...TRUST_OPTIONS,
      rename: { type: 'string', multiple: true },
      yes: { type: 'boolean' },
    },
  });
  const [what, first, second, ...rest] = positionals;
  const { backup, under, to, settings } = values;
  const importOptions = {
    rename: values.rename,
    yes: values.yes,
    'trust-key': values['trust-key'],
    unsigned: values.unsigned,
  };
  if (what === 'move') {
    if (first === undefined || second !== undefined || to === undefined || settings === undefined)
      throw new Error(NETWORK_COMMAND.moveWhat);
    requireNone(what, { backup, ...importOptions });
    return { what, admin: first, to, settings: callerFile(settings), under };
  }
  if (what === 'undo') {
    if (first === undefined || second !== undefined || settings === undefined)
      throw new Error(NETWORK_COMMAND.undoWhat);
    requireNone(what, { backup, to, under, ...importOptions });
    return { what, admin: first, settings: callerFile(settings) };
  }
  requireNone(what ?? 'network', { to, settings });
  if (what === 'export') {
    if (first === undefined || second === undefined || rest.length > 0) throw new Error(NETWORK_COMMAND.adminAndFile);
    requireNone(what, { under, ...importOptions });
    return { what, admin: first, file: callerFile(second), backup };
  }
  if (what !== 'verify' && what !== 'import') throw new Error(NETWORK_COMMAND.choose);
  if (first === undefined || second !== undefined) throw new Error(NETWORK_COMMAND.nameFile);
  if (what === 'verify') {
    requireNone(what, { backup, under, ...importOptions });
    return { what, file: callerFile(first) };
  }
  requireNone(what, { backup });
  return {
    what,
    file: callerFile(first),
    under,
    renames: readRenames(values.rename ?? []),
    trust: readTrust(values),
    isMeant: values.yes === true,
  };
}

function requireNone(what: string, options: Readonly<Record<string, unknown>>): void {
  const unexpectedOption = Object.keys(options).find((name) => options[name] !== undefined);
  if (unexpectedOption !== undefined) throw new Error(NETWORK_COMMAND.takesNo(what, unexpectedOption));
}

async function exportNetwork(tools: RestoreTools, wish: NetworkArgs & { what: 'export' }): Promise<void> {
  const { config, address, work, services, stop } = tools;
  const [network] = await networksOf(address, [wish.admin]);
  const { id, adminId, username } = network!;
  const existing = await stat(wish.file).catch(() => undefined);
  if (existing) throw new Error(NETWORK_COMMAND.fileExists(wish.file));
  const name =
    wish.backup ??
    (await work.run({ adminId, kind: 'backup', by: BY }, async ({ signal, progress }) => {
      const { dir, key, sealKey } = tools.parts.settings;
      const place = { connectionString: () => address, dir, key, sealKey };
      const admin = { id: adminId, networkId: id };
      return (
        await backUpNetwork(services, place, { admin, by: BY, signal: AbortSignal.any([stop, signal]), progress })
      ).name;
    }));
  const backup = await findBackup(config.backupDir, adminId, name);
  if (typeof backup?.manifest !== 'object') throw new Error(NETWORK_COMMAND.noIntactBackup(username, name));
  await writeArchive(backup.folder, wish.file, stop);
  console.log(`ok     ${username}  ${wish.file}  ${aboutOf(backup.manifest)}`);
  const [running] = await services.db.query<{ active: boolean }>(
    sql`select active from accounts where id = ${adminId}`,
  );
  if (running?.active) console.log(NETWORK_COMMAND.stillActive(username));
  const { signature } = backup.manifest;
  console.log(NETWORK_COMMAND.toImport(signature ? `--trust-key ${signature.key}` : '--unsigned'));
  if (backup.manifest.recipient !== null) console.log(NETWORK_COMMAND.encrypted);
}

async function writeArchive(folder: string, file: string, signal: AbortSignal): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(createArchive(folder), createWriteStream(part, { mode: OWN_FILE, flush: true }), { signal });
    await rename(part, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function withBackup<T>(
  file: string,
  into: string,
  signal: AbortSignal,
  act: (backup: CompleteBackup) => Promise<T>,
): Promise<T> {
  const completeIn = async (folder: string): Promise<CompleteBackup> => ({
    name: path.basename(path.resolve(folder)),
    folder,
    manifest: await requireManifest(folder),
  });
  const there = await stat(file).catch(() => undefined);
  if (!there) throw new Error(NETWORK_COMMAND.noFile(file));
  if (there.isDirectory()) return act(await completeIn(file));
  return openArchive(file, async (archive) => {
    await forgetUnpacked(into);
    const below = await mkdtemp(path.join(into, UNPACKED));
    try {
      return await act(await completeIn(await archive.unpack(below, signal)));
    } finally {
      await rm(below, { recursive: true, force: true });
    }
  });
}

async function forgetUnpacked(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    const folder = path.join(into, name);
    if (!UNPACKED_NAME.test(name)) continue;
    const since = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Infinity;
    if (since < systemClock.now().getTime() - LEFT_MS) await rm(folder, { recursive: true, force: true });
  }
}

export type ImportTools = Pick<RestoreTools, 'services' | 'work' | 'parts' | 'stop'>;

/** If not confirmed, throws a description plus obstacles known from the manifest. */
export async function importNetwork(
  { services, work, parts, stop }: ImportTools,
  wish: NetworkArgs & { what: 'import' },
  backup: CompleteBackup,
): Promise<void> {
  const { manifest } = backup;
  const { id } = manifest.admin;
  const old = manifest.admin.username;
  const renamed = Object.entries(wish.renames).find(([from]) => from.toLowerCase() === old.toLowerCase());
  const username = renamed?.[1] ?? old;
  await requireMovable(parts, manifest, wish.trust);
  const actor = await superadminOf(services.db, wish.under);
  if (!wish.isMeant)
    throw new Error(
      NETWORK_COMMAND.confirmImport(old, aboutOf(manifest), actor.username, username === old ? '' : ` as ${username}`),
    );
  const call = { actor, origin: { ...NOWHERE, url: BY }, isOperator: true };
  const admin = await reserveMovedAdmin(services, call, { id, username }).catch((error: unknown) => {
    if (!(error instanceof CallError) || error.fields?.['username'] === undefined) throw error;
    throw new Error(NETWORK_COMMAND.nameRefused(username, sentence(error.message), old), { cause: error });
  });
  const moving = work.run({ adminId: id, kind: 'move', by: BY }, (given) =>
    moveNetwork(
      parts,
      { call, backup, renames: wish.renames, admin, trust: wish.trust },
      { ...given, signal: AbortSignal.any([stop, given.signal]) },
    ),
  );
  const { notes, slips } = await moving.catch((error: Error) => {
    throw new Error(NETWORK_COMMAND.importFailed(sentence(error.message), admin.username), { cause: error });
  });
  const [{ active }] = (await services.db.query<{ active: boolean }>(
    sql`select active from accounts where id = ${admin.id}`,
  )) as [{ active: boolean }];
  const lines = [
    `ok     ${admin.username}  ${aboutOf(manifest)}`,
    NETWORK_COMMAND.unchanged,
    ...notes,
    active ? NETWORK_COMMAND.activated(admin.username) : NETWORK_COMMAND.inactive(admin.username),
    ...slipLines(slips),
  ];
  console.log(lines.join('\n       '));
}

function aboutOf({ files, wallets, takenAt, timeZone, admin }: Manifest): string {
  const rowsOf = (table: string): string =>
    (files.find((file) => file.table === table)?.rows ?? 0).toLocaleString('en-US');
  const totalCredit = wallets
    .filter(({ kind }) => kind !== 'boundary')
    .reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return NETWORK_COMMAND.about(
    admin.username,
    timeWords(new Date(takenAt), timeZone),
    rowsOf('accounts'),
    rowsOf('tickets'),
    pointsText(totalCredit),
    sizeText(bytes),
  );
}

/** Messages of fields end without a period. */
function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

async function verify(config: Config, file: string, signal: AbortSignal): Promise<number> {
  return withBackup(file, path.dirname(file), signal, async ({ folder, manifest }) => {
    const { problems, areRowsCounted } = await verifyBackup(folder, { key: config.backupKey, signal });
    console.log(`${problems.length === 0 ? 'ok   ' : 'WRONG'}  ${aboutOf(manifest)}`);
    for (const problem of problems) console.log(`       - ${problem}`);
    if (manifest.isWithoutSecrets) console.log(NETWORK_COMMAND.downloaded);
    console.log(NETWORK_COMMAND.signedBy(manifest.signature?.key ?? 'nobody'));
    if (problems.length === 0 && !areRowsCounted) console.log(NETWORK_COMMAND.rowsUnread);
    return problems.length === 0 ? 0 : 1;
  });
}

async function run(wish: NetworkArgs): Promise<number> {
  const config = readConfig();
  if (wish.what === 'verify') return verify(config, wish.file, stoppedBySignal());
  if (wish.what === 'move') {
    console.log(await moveAdmin(config, wish, (line) => console.error(line)));
    return 0;
  }
  if (wish.what === 'undo') {
    console.log(await undoAdminMove(config, wish));
    return 0;
  }
  return withExistingDatabase(config, wish.what === 'export' ? EXPORT : IMPORT, (address, ownerAddress) =>
    withRestoreTools(config, { address, ownerAddress }, async (tools) => {
      if (wish.what === 'export') await exportNetwork(tools, wish);
      else await withBackup(wish.file, config.dataDir, tools.stop, (backup) => importNetwork(tools, wish, backup));
      return 0;
    }),
  );
}

if (import.meta.main) await runCommandLine({ usage: USAGE, read: parseNetworkArgs, run });
