import { open } from 'node:fs/promises';

/** Only the user that runs the server may read what a backup holds. */
export const OWN_FILE = 0o600;
/** The same of a folder. */
export const OWN_FOLDER = 0o700;

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', OWN_FILE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
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
