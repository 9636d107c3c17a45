import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeDurably } from '../../apps/server/src/db/durable-file.ts';

/** Writes a file whole in place of what there was: once this is done it is there whatever fails, and until then what was there before. */
export async function replaceFile(file: string, bytes: string | Uint8Array): Promise<void> {
  const beside = `${file}.new`;
  // What a kill has left of it.
  await rm(beside, { force: true });
  await writeDurably(beside, bytes);
  await rename(beside, file);
  await syncFolder(dirname(file));
}
