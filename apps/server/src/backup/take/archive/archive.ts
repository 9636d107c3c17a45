import path from 'node:path';
import { pipeline, Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  BackupDamaged,
  fileNameOf,
  MANIFEST,
  manifestText,
  MAX_MANIFEST_BYTES,
  requireManifest,
  type ManifestFile,
} from './manifest.ts';
import { OWN_FILE } from '../../../platform/db/embedded/durable-file.ts';
import { withholdSecrets } from '../withhold-secrets.ts';
import { createMeasure, differenceOf, unreadable } from '../measure-stream.ts';
import { readSmall, streamOf } from './plain-file.ts';

export const ARCHIVE_EXTENSION = '.zip';

export type Archive = Readable & { readonly bytes: Promise<number> };

export interface SecretsRemoval {
  /** Undefined leaves the manifest unsigned. */
  readonly sealKey: Uint8Array | undefined;
}

/**
 * Manifest last. Fails with {@link BackupDamaged} if a file differs from the manifest. `leaving` omits password hashes
 * ({@link withholdSecrets}).
 */
export function createArchive(folder: string, leaving?: SecretsRemoval): Archive {
  const zip = new ZipFile();
  const stream = zip.outputStream as PassThrough;
  zip.on('error', (error: Error) => stream.destroy(error));
  const bytes = fill(zip, folder, leaving);
  bytes.catch((error: Error) => stream.destroy(error));
  return Object.assign(stream, { bytes });
}

async function fill(zip: ZipFile, folder: string, leaving: SecretsRemoval | undefined): Promise<number> {
  const name = path.basename(folder);
  const whole = await requireManifest(folder).catch((error: Error) => {
    throw new BackupDamaged(error.message);
  });
  const { manifest, files } = leaving
    ? await withholdSecrets(folder, whole, leaving.sealKey)
    : { manifest: whole, files: new Map<string, Buffer>() };
  const text =
    manifest === whole
      ? Buffer.from(await readSmall(path.join(folder, MANIFEST), MAX_MANIFEST_BYTES))
      : Buffer.from(manifestText(manifest));
  let open: Readable | undefined;
  (zip.outputStream as PassThrough).once('close', () => open?.destroy());
  const about = { mtime: new Date(manifest.takenAt), mode: 0o100_000 | OWN_FILE, compress: false };
  for (const file of manifest.files) {
    const fileName = fileNameOf(file.table, manifest);
    const content = files.get(file.table);
    if (content) {
      zip.addBuffer(content, `${name}/${fileName}`, about);
      continue;
    }
    zip.addReadStreamLazy(`${name}/${fileName}`, { ...about, size: file.bytes }, (give) => {
      open = Readable.from(contentOf(path.join(folder, fileName), file), { objectMode: false });
      open.once('error', (error) => zip.emit('error', error));
      give(null, open);
    });
  }
  zip.addBuffer(text, `${name}/${MANIFEST}`, about);
  return new Promise((resolve) => zip.end(undefined, resolve as () => void));
}

async function* contentOf(file: string, about: ManifestFile): AsyncGenerator<Buffer> {
  const measure = createMeasure();
  pipeline(streamOf(file), measure.step, () => {});
  const damaged = (how: string): BackupDamaged => new BackupDamaged(`${path.basename(file)} ${how}`);
  try {
    yield* measure.step as AsyncIterable<Buffer>;
  } catch (error) {
    throw damaged(unreadable(error as Error));
  }
  const difference = differenceOf(measure, about);
  if (difference !== undefined) throw damaged(difference);
}
