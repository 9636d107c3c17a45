import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file whole that its owner alone can read: once this is done it is there whatever fails, and until then what was there before. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const beside = `${file}.new`;
  const handle = await open(beside, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
  await syncFolder(dirname(file));
}

/** Makes what was made, renamed or removed in a folder last. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps their names by itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
