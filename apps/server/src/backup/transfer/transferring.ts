import path from 'node:path';
import type { TransferTarget } from '../../transfer-target.ts';
import type { Work } from '../../network-work/network-work.ts';
import { ARCHIVE_ENDING, createArchive } from '../archive.ts';
import { isFolderName } from '../backup-folders.ts';
import type { Destination } from './destination.ts';
import { inWords } from './transfer-texts.ts';

/** What came of a transfer. */
export interface Transferred {
  /** How large the archive is. */
  readonly bytes: number;
  /** Where it is, as an address without a user. */
  readonly where: string;
}

/** Sends backups to where the settings of the server say. */
export interface Transferring {
  /**
   * Sends the archive of the backup in a folder under a name, and reads there whether it arrived whole. Until it has, nothing is called so there.
   * What an earlier transfer of the same network left half done is removed first, what fails in the end. Throws RULE_REFUSED with what the
   * other side said.
   */
  send(folder: string, name: string, work: Work): Promise<Transferred>;
}

/** Makes what sends to a target; it connects when it sends. Undefined where there is no target. */
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

/** What sends to it: fetched only when it is needed, for the server starts without. */
async function destinationOf(target: TransferTarget): Promise<Destination> {
  if (target.kind === 'file') return (await import('./to-file.ts')).toFile(target);
  if (target.kind === 'sftp') return (await import('./to-sftp.ts')).toSftp(target);
  return (await import('./to-s3.ts')).toS3(target);
}

/** A name of which every system makes a file in the folder itself. Different names stay different. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N} ._@+-]/gu, encodeURIComponent);
}

/** Tells the archives whose names begin as this one does before the name of its folder. */
function siblingsOf(name: string, folderName: string): (other: string) => boolean {
  const ending = folderName + ARCHIVE_ENDING;
  if (!isFolderName(folderName) || !name.endsWith(ending)) return (other) => other === name;
  const head = name.slice(0, -ending.length);
  return (other) =>
    other.startsWith(head) &&
    other.endsWith(ARCHIVE_ENDING) &&
    isFolderName(other.slice(head.length, -ARCHIVE_ENDING.length));
}
