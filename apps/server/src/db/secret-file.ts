import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OWN_FOLDER, replaceDurably } from './durable-file.ts';

/**
 * Writes a file with a secret, which its owner alone can read, and waits until the disk has it: what is sealed or drawn by a key must not outlast it. Its folder is made where
 * it is missing, as `DATA_DIR` is beside a database of one's own.
 */
export async function writeSecret(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
  await replaceDurably(file, content);
}

/** The password kept in a file; a new random one is written there first when there is none. */
export async function keptPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('hex');
  await writeSecret(file, password);
  return password;
}
