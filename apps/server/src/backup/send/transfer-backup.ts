import path from 'node:path';
import type { TransferTarget } from '../../config/backup-settings.ts';
import type { Work } from '../../activity/network-work/network-work.ts';
import { ARCHIVE_EXTENSION, createArchive } from '../take/archive/archive.ts';
import { isFolderName } from '../keep/backup-folders.ts';
import { inWords, type Destination } from './transfer-texts.ts';

export interface Transferred {
  readonly bytes: number;
  readonly where: string;
}

export interface Transferring {
  /** The final name appears only after verification. */
  send(folder: string, name: string, work: Work): Promise<Transferred>;
}

export function createTransferring(target: TransferTarget | undefined): Transferring | undefined {
  if (target === undefined) return undefined;
  return {
    async send(folder, name, work) {
      const safeName = fileNameOf(name);
      const destination = await destinationOf(target);
      const where = `${destination.where}/${safeName}`;
      const archive = createArchive(folder);
      try {
        const bytes = await destination.send({
          archive,
          name: safeName,
          isSibling: siblingsOf(safeName, path.basename(folder)),
          work,
        });
        return { bytes, where };
      } catch (error) {
        work.signal.throwIfAborted();
        throw inWords(error, where);
      } finally {
        archive.destroy();
      }
    },
  };
}

/** Loaded lazily, for a fast start. */
async function destinationOf(target: TransferTarget): Promise<Destination> {
  if (target.kind === 'file') return (await import('./send-with-rename.ts')).toFile(target);
  if (target.kind === 'sftp') return (await import('./to-sftp.ts')).toSftp(target);
  return (await import('./to-s3.ts')).toS3(target);
}

/** Some systems reject these characters. Injective. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N} ._@+-]/gu, encodeURIComponent);
}

function siblingsOf(name: string, folderName: string): (other: string) => boolean {
  const ending = folderName + ARCHIVE_EXTENSION;
  if (!isFolderName(folderName) || !name.endsWith(ending)) return (other) => other === name;
  const head = name.slice(0, -ending.length);
  return (other) =>
    other.startsWith(head) &&
    other.endsWith(ARCHIVE_EXTENSION) &&
    isFolderName(other.slice(head.length, -ARCHIVE_EXTENSION.length));
}
