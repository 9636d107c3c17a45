import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { isFolderName } from '../keep/backup-folders.ts';
import { REAL_DISK, requireSpace, type Disk } from '../keep/disk-space.ts';
import { OWN_FILE, OWN_FOLDER, syncFolder } from '../../platform/db/embedded/durable-file.ts';
import {
  fileNameOf,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  parseManifest,
  writeManifest,
  type Manifest,
  type ManifestFile,
} from '../take/archive/manifest.ts';
import { createMeasure, differenceOf } from '../take/measure-stream.ts';
import { BACKUP_TEXTS, DAMAGE } from '../backup-texts.ts';

const MAX_ENTRIES = 1_000;
const STORED = 0;

export interface OpenArchive {
  readonly name: string;
  readonly manifest: Manifest;
  /** Manifest last. Throws and cleans up if a file differs, space runs out, or the folder exists. */
  unpack(into: string, signal: AbortSignal, disk?: Disk): Promise<string>;
}

/**
 * Requires one folder with exactly the manifest and its files, uncompressed and no larger than the archive. This blocks
 * path traversal and zip bombs.
 */
export async function openArchive<T>(file: string, act: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: Error) => {
    throw noArchive(file, error.message);
  });
  try {
    const { name, text: manifestText, manifest, files } = await contentsOf(zip, file);
    return await act({
      name,
      manifest,
      async unpack(into, signal, disk = REAL_DISK) {
        await mkdir(into, { recursive: true, mode: OWN_FOLDER });
        await requireSpace(disk, into, zip.fileSize);
        const folder = path.join(into, name);
        await mkdir(folder, { mode: OWN_FOLDER }).catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'EEXIST' ? new Error(BACKUP_TEXTS.nameTaken(name)) : error;
        });
        try {
          for (const { entry, about, fileName } of files)
            await writeFile(zip, entry, { about, file: path.join(folder, fileName), signal });
          await syncFolder(folder);
          await writeManifest(folder, manifestText);
          await syncFolder(folder);
          await syncFolder(into);
          return folder;
        } catch (error) {
          await rm(folder, { recursive: true, force: true });
          signal.throwIfAborted();
          throw error;
        }
      },
    });
  } finally {
    zip.close();
  }
}

interface ArchivedFile {
  readonly entry: Entry;
  readonly about: ManifestFile;
  readonly fileName: string;
}

interface Contents {
  readonly name: string;
  readonly text: string;
  readonly manifest: Manifest;
  readonly files: readonly ArchivedFile[];
}

async function contentsOf(zip: ZipFile, file: string): Promise<Contents> {
  const entries = await entriesOf(zip, file);
  const manifestEntry = [...entries.values()].find(({ fileName }) => path.posix.basename(fileName) === MANIFEST);
  if (!manifestEntry) throw noArchive(file, DAMAGE.hasNo(MANIFEST));
  const name = path.posix.dirname(manifestEntry.fileName);
  if (!isFolderName(name)) throw noArchive(file, DAMAGE.folderName(name));
  if (manifestEntry.uncompressedSize > MAX_MANIFEST_BYTES) throw noArchive(file, DAMAGE.tooLarge(MANIFEST));
  const manifestText = await text(await zip.openReadStreamPromise(manifestEntry));
  const manifest = parseManifest(manifestText);
  const files = manifest.files.map((about) => {
    const fileName = fileNameOf(about.table, manifest);
    const entry = entries.get(`${name}/${fileName}`);
    if (!entry) throw noArchive(file, DAMAGE.fileMissing(fileName));
    if (entry.uncompressedSize !== about.bytes)
      throw noArchive(file, DAMAGE.fileSize(fileName, entry.uncompressedSize, about.bytes));
    return { entry, about, fileName };
  });
  const named = new Set([manifestEntry, ...files.map(({ entry }) => entry)]);
  const other = [...entries.values()].find((entry) => !named.has(entry));
  if (other) throw noArchive(file, DAMAGE.notInManifest(other.fileName));
  if (files.reduce((sum, { about }) => sum + about.bytes, 0) > zip.fileSize)
    throw noArchive(file, DAMAGE.largerThanArchive);
  return { name, text: manifestText, manifest, files };
}

async function entriesOf(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw noArchive(file, DAMAGE.tooManyFiles(zip.entryCount));
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') && isFolderName(entry.fileName.slice(0, -1))) continue;
      if (entries.has(entry.fileName)) throw new Error(DAMAGE.fileTwice(entry.fileName));
      if (entry.compressionMethod !== STORED || entry.isEncrypted()) throw new Error(DAMAGE.repacked(entry.fileName));
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw noArchive(file, (error as Error).message);
  }
  return entries;
}

async function writeFile(
  zip: ZipFile,
  entry: Entry,
  { about, file, signal }: { about: ManifestFile; file: string; signal: AbortSignal },
): Promise<void> {
  const measure = createMeasure();
  const to = createWriteStream(file, { flags: 'wx', mode: OWN_FILE, flush: true });
  await pipeline([await zip.openReadStreamPromise(entry), measure.step, to], { signal });
  const difference = differenceOf(measure, about);
  if (difference !== undefined) throw new Error(`${path.basename(file)} ${difference}`);
}

function noArchive(file: string, why: string): Error {
  return new Error(BACKUP_TEXTS.notArchive(path.basename(file), why.replace(/\.+$/, '')));
}
