import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Work } from '../../activity/network-work/network-work.ts';
import { copySnapshot, type Copier } from '../../platform/db/sql/copy-rows.ts';
import { tablesToCopy, type TableToCopy } from '../backup-tables.ts';
import { REAL_DISK, requireSpace, type Disk } from '../keep/disk-space.ts';
import { OWN_FILE, OWN_FOLDER, syncFolder } from '../../platform/db/embedded/durable-file.ts';
import { encryptFor, recipientOf } from './archive/encryption.ts';
import {
  fileNameOf,
  FORMAT,
  isCheckpointNote,
  manifestText,
  writeManifest,
  walletSums,
  type Manifest,
  type ManifestFile,
} from './archive/manifest.ts';
import { createMeasure } from './measure-stream.ts';
import { createRowReader } from '../load/load-rows.ts';
import { signManifest } from './archive/sign-manifest.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** More parallel tables would take CPU from betting. */
const CONNECTIONS = 2;
const ZSTD_LEVEL = 3;

export interface BackupOrder {
  readonly connectionString: string;
  readonly networkId: number;
  readonly into: string;
  readonly name: string;
  readonly by: string;
  readonly takenAt: Date;
  /** age identity or recipient. */
  readonly key?: string | undefined;
  readonly sealKey?: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** In bytes as PostgreSQL estimates them. */
  readonly progress?: Work['progress'] | undefined;
  readonly isBusy?: (() => boolean) | undefined;
  readonly disk?: Disk | undefined;
  /** Replicated tables. The files of the others are deleted within seconds, so none is flushed. */
  readonly without?: ReadonlySet<string> | undefined;
}

/**
 * Reads one snapshot without blocking writers. Writes a compressed COPY text file per table, manifest last. Only a kill
 * leaves files, without manifest.
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
  const tables = await tablesToCopy(first, order.networkId, order.without);
  const { disk = REAL_DISK } = order;
  const passed = progressOf(tables, order.progress);
  const reader = (table: TableToCopy) => createRowReader(passed(table), order.isBusy);
  await requireSpace(disk, folder, expectedOf(tables));
  const about = await describe(first, order);
  const waiting = tables.toSorted((a, b) => b.expectedBytes - a.expectedBytes);
  const files = new Map<string, ManifestFile>();
  const stop = new AbortController();
  const signal = AbortSignal.any([order.signal, stop.signal]);
  async function copyWhatWaits(copier: Copier): Promise<void> {
    try {
      for (let next = waiting.shift(); next; next = waiting.shift())
        files.set(
          next.table,
          await copyTable(copier, next, folder, {
            ...about,
            signal,
            disk,
            reader: reader(next),
            flush: order.without === undefined,
          }),
        );
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

/** Never exceeds a table's estimate and reaches it at the end. */
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
    flush,
  }: Pick<Manifest, 'recipient'> & { signal: AbortSignal; disk: Disk; reader: Transform; flush: boolean },
): Promise<ManifestFile> {
  const rows = copier.copy(select.text);
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const measure = createMeasure({ everyBytes: disk.checkEveryBytes, run: () => requireSpace(disk, folder, 0) });
  const file = createWriteStream(path.join(folder, fileNameOf(table, { recipient })), {
    flags: 'wx',
    mode: OWN_FILE,
    flush,
  });
  const steps = recipient === null ? [compress] : [compress, encryptFor(recipient)];
  await pipeline([rows, reader, ...steps, measure.step, file], { signal });
  return { table, columns: [...columns], rows: rows.rowCount, bytes: measure.bytes(), sha256: measure.sha256() };
}

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
    sql`select a.id, a.username, (select max(name) from migrations) as schema,
            (select value from pinned_settings where name = 'time-zone') as "timeZone",
            (select value from pinned_settings where name = 'installation') as installation,
            (select version::text from wallets
              where network_id = ${sql.lit(ROOT_NETWORK)} and owner_id = a.id
                and kind = ${sql.lit(WALLET_KINDS.boundary)}) as "borderVersion",
            (select nullif(checkpoint, '') from seal_progress order by origin desc limit 1) as checkpoint
     from networks n join accounts a on a.id = n.admin_id where n.id = ${networkId}`,
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
    // A corrupt checkpoint must not make backups unreadable.
    ...(checkpoint !== null && isCheckpointNote(checkpoint) && { checkpoint }),
  };
}

async function endOfLog(on: Copier, networkId: number): Promise<Manifest['log']> {
  const [head] = await on.query<Manifest['log']>(
    sql`select seq::text, encode(hash, 'hex') as hash from activity_heads where network_id = ${networkId}`,
  );
  return head ?? { seq: '0', hash: null };
}
