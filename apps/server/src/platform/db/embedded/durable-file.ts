import { closeSync, fsync, openSync, writeFileSync } from 'node:fs';
import { open, rename, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';

const synced = promisify(fsync);

export const OWN_FILE = 0o600;
export const OWN_FOLDER = 0o700;

export async function writeDurably(file: string, bytes: string | Uint8Array): Promise<void> {
  await writeFile(file, bytes, { flag: 'wx', mode: OWN_FILE, flush: true });
}

/** Blocks the thread, then syncs in parallel. Sequential syncs would each wait for the others' names. */
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

export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open directories and needs no sync.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Atomic, and durable on return. Writes to `beside` first; concurrent writers need separate ones. `mayStill` runs
 * before the rename; if it throws, the file stays unchanged.
 */
export async function replaceDurably(
  file: string,
  bytes: string | Uint8Array,
  { temporary = `${file}.new`, mayStill }: { temporary?: string; mayStill?: (() => Promise<void>) | undefined } = {},
): Promise<void> {
  // Replaces leftovers of a killed process.
  await writeFile(temporary, bytes, { mode: OWN_FILE, flush: true });
  await mayStill?.();
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/**
 * Owner-only, synced to disk: sealed data must not outlive its key. Creates the folder, because `DATA_DIR` may be
 * missing with an external database.
 */
export async function writeSecret(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
  await replaceDurably(file, content);
}

export async function loadOrCreatePassword(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  if (content !== '') return content;
  const password = randomBytes(24).toString('hex');
  await writeSecret(file, password);
  return password;
}
