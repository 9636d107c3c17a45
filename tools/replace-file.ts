import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OWN_FILE, syncFolder } from '../apps/server/src/db/durable-file.ts';

/** Puts bytes in the place of a file's, for its owner alone: once this is done the disk has them, and until then what was there before. */
export async function replaceFile(file: string, bytes: string | Uint8Array): Promise<void> {
  const beside = `${file}.new`;
  const handle = await open(beside, 'w', OWN_FILE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
  await syncFolder(dirname(file));
}
