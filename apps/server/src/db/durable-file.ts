import { closeSync, fsync, openSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const synced = promisify(fsync);

/** Only the user that runs the server may read what a backup holds. */
export const OWN_FILE = 0o600;
/** The same of a folder. */
export const OWN_FOLDER = 0o700;

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(file: string, bytes: string | Uint8Array): Promise<void> {
  await writeSynced(file, bytes, 'wx');
}

/**
 * Writes new files and waits until the disk has them: first all are written, which blocks the thread, then they are waited for side by side. One by one, each would wait for the
 * names of the others. Throws what the first one that fails does; those before it are there.
 */
export async function writeAllDurably(
  files: readonly { readonly file: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const opened: number[] = [];
  try {
    for (const { file, bytes } of files) {
      const fd = openSync(file, 'wx', OWN_FILE);
      opened.push(fd);
      writeFileSync(fd, bytes);
    }
    const waits = await Promise.allSettled(opened.map((fd) => synced(fd)));
    for (const wait of waits) if (wait.status === 'rejected') throw wait.reason;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Waits until the disk has the names in a folder. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder, and needs none of this.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file, in the place of what may be there from somebody who was killed, for its owner alone, and waits until the disk has its content. */
async function writeFresh(file: string, bytes: string | Uint8Array): Promise<void> {
  await writeSynced(file, bytes, 'w');
}

async function writeSynced(file: string, bytes: string | Uint8Array, flags: 'w' | 'wx'): Promise<void> {
  const handle = await open(file, flags, OWN_FILE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts bytes in the place of a file's: once this is done the disk has them, and until then what was there before. `beside` is where they are written first: where several may write
 * the file, it is each one's own. `mayStill` is asked once they are there, however long that took: what it throws leaves the file as it is.
 */
export async function replaceDurably(
  file: string,
  bytes: string | Uint8Array,
  { beside = `${file}.new`, mayStill }: { beside?: string; mayStill?: (() => Promise<void>) | undefined } = {},
): Promise<void> {
  await writeFresh(beside, bytes);
  await mayStill?.();
  await rename(beside, file);
  await syncFolder(dirname(file));
}
