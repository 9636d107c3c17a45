import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Work } from '../network-work/network-work.ts';
import { copySnapshot } from '../db/copy-snapshot.ts';
import type { Copier } from '../db/copy-snapshot.ts';
import { tablesToCopy } from './backup-tables.ts';
import type { TableToCopy } from './backup-tables.ts';
import { REAL_DISK, requireRoom } from './disk-room.ts';
import type { Disk } from './disk-room.ts';
import { OWN_FILE, OWN_FOLDER, syncFolder } from '../db/durable-file.ts';
import { encryptFor, recipientOf } from './encryption.ts';
import { fileNameOf, FORMAT, isCheckpointNote, manifestText, writeManifest } from './manifest.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { createMeasure } from './measure.ts';
import { createRowReader } from './row-reader.ts';
import { signManifest } from './sign-manifest.ts';
import { walletSums } from './wallet-sums.ts';

/** Tables that are read side by side: more would take the processors from the bets that go on. */
const CONNECTIONS = 2;
/** zstd's own default. */
const ZSTD_LEVEL = 3;

/** What is to be backed up, and where to. */
export interface BackupOrder {
  /** Of a role that may read all tables. */
  readonly connectionString: string;
  readonly networkId: number;
  /** The folder of all backups of the network; it is made where it is missing. */
  readonly into: string;
  /** The name of the new folder in it. */
  readonly name: string;
  readonly by: string;
  readonly takenAt: Date;
  /** Whom it is encrypted for, an age identity or a recipient; undefined: it is not. */
  readonly key?: string | undefined;
  /** The private seal key, which signs the manifest; undefined: nobody signs it. */
  readonly sealKey?: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** Hears how far it has come: `done` of `total` is in bytes as PostgreSQL expects them, not as they are on the disk. */
  readonly progress?: Work['progress'] | undefined;
  /** Whether others want the processors now: then it leaves most of its turns to them. Left out: nobody does. */
  readonly isBusy?: (() => boolean) | undefined;
  /** The disk: what is free where a folder is, and after how many bytes it is looked at again; the real one where it is left out. */
  readonly disk?: Disk | undefined;
}

/**
 * Backs a network up into a new folder: one snapshot, read on several connections while all goes on, a compressed file for each table in the
 * text format of PostgreSQL, and the manifest last of all. Throws {@link BackupRefused} where the disk has no room for it. Whatever fails, or
 * the signal, leaves nothing; what is killed leaves a folder without a manifest.
 */
export async function takeBackup(order: BackupOrder): Promise<Manifest> {
  const { connectionString, into, name, signal } = order;
  const folder = path.join(into, name);
  await mkdir(into, { recursive: true, mode: OWN_FOLDER });
  await mkdir(folder, { mode: OWN_FOLDER });
  try {
    const copied = await copySnapshot(connectionString, CONNECTIONS, signal, (on) => copyNetwork(on, folder, order));
    const manifest = order.sealKey ? signManifest(copied, order.sealKey) : copied;
    await syncFolder(folder);
    await writeManifest(folder, manifestText(manifest));
    await syncFolder(folder);
    await syncFolder(into);
    return manifest;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function copyNetwork(on: readonly Copier[], folder: string, order: BackupOrder): Promise<Manifest> {
  const first = on[0]!;
  const tables = await tablesToCopy(first, order.networkId);
  const { disk = REAL_DISK } = order;
  const passed = progressOf(tables, order.progress);
  const reader = (table: TableToCopy) => createRowReader(passed(table), order.isBusy);
  await requireRoom(disk, folder, expectedOf(tables));
  const about = await describe(first, order);
  // The largest first, so that no connection is left with it in the end.
  const waiting = tables.toSorted((a, b) => b.expectedBytes - a.expectedBytes);
  const files = new Map<string, ManifestFile>();
  const stop = new AbortController();
  const signal = AbortSignal.any([order.signal, stop.signal]);
  async function copyWhatWaits(copier: Copier): Promise<void> {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift())
        files.set(next.table, await copyTable(copier, next, folder, { ...about, signal, disk, reader: reader(next) }));
    } catch (error) {
      stop.abort(error);
    }
  }
  await Promise.all(on.map(copyWhatWaits));
  stop.signal.throwIfAborted();
  return { ...about, files: tables.map(({ table }) => files.get(table)!) };
}

function expectedOf(tables: readonly TableToCopy[]): number {
  return tables.reduce((sum, { expectedBytes }) => sum + expectedBytes, 0);
}

/** Makes what is told how many bytes of a table have passed. None is ever more than was expected of it, and one that is done is all of that. */
function progressOf(
  tables: readonly TableToCopy[],
  progress: BackupOrder['progress'],
): (table: TableToCopy) => (bytes: number) => void {
  const total = expectedOf(tables);
  let done = 0;
  progress?.('Copying rows', done, total);
  return ({ expectedBytes }) => {
    let left = expectedBytes;
    return (bytes) => {
      const counted = Math.min(bytes, left);
      left -= counted;
      done += counted;
      progress?.('Copying rows', done, total);
    };
  };
}

async function copyTable(
  copier: Copier,
  { table, columns, select }: TableToCopy,
  folder: string,
  {
    recipient,
    signal,
    disk,
    reader,
  }: Pick<Manifest, 'recipient'> & { signal: AbortSignal; disk: Disk; reader: Transform },
): Promise<ManifestFile> {
  const rows = copier.copy(select);
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const measure = createMeasure({ everyBytes: disk.lookEvery, run: () => requireRoom(disk, folder, 0) });
  const file = createWriteStream(path.join(folder, fileNameOf(table, { recipient })), {
    flags: 'wx',
    mode: OWN_FILE,
    flush: true,
  });
  const steps = recipient === null ? [compress] : [compress, encryptFor(recipient)];
  await pipeline([rows, reader, ...steps, measure.step, file], { signal });
  return { table, columns: [...columns], rows: rows.rowCount, bytes: measure.bytes(), sha256: measure.sha256() };
}

/** What the manifest says beside its files. */
async function describe(on: Copier, { networkId, by, takenAt, key }: BackupOrder): Promise<Omit<Manifest, 'files'>> {
  const [network] = await on.query<{
    id: string;
    username: string;
    schema: string;
    timeZone: string;
    installation: string;
    borderVersion: string;
    checkpoint: string | null;
  }>(
    `select a.id, a.username, (select max(name) from migrations) as schema,
            (select value from pinned_settings where name = 'time-zone') as "timeZone",
            (select value from pinned_settings where name = 'installation') as installation,
            (select version::text from wallets where network_id = ${ROOT_NETWORK} and owner_id = a.id and kind = ${WALLET_KINDS.boundary}) as "borderVersion",
            (select nullif(checkpoint, '') from seal_progress order by origin desc limit 1) as checkpoint
     from networks n join accounts a on a.id = n.admin_id where n.id = $1`,
    [networkId],
  );
  const { id, username, checkpoint, ...about } = network!;
  return {
    format: FORMAT,
    ...about,
    admin: { id, username },
    takenAt: takenAt.toISOString(),
    by,
    recipient: key === undefined ? null : await recipientOf(key),
    wallets: await walletSums(on, networkId),
    log: await endOfLog(on, networkId),
    rootLog: await endOfLog(on, ROOT_NETWORK),
    // Who can write to the database has nobody make backups that can't be read.
    ...(checkpoint !== null && isCheckpointNote(checkpoint) && { checkpoint }),
  };
}

async function endOfLog(on: Copier, networkId: number): Promise<Manifest['log']> {
  const [head] = await on.query<Manifest['log']>(
    `select seq::text, encode(hash, 'hex') as hash from activity_heads where network_id = $1`,
    [networkId],
  );
  return head ?? { seq: '0', hash: null };
}
