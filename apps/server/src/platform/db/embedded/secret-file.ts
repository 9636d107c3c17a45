import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OWN_FOLDER, replaceDurably } from './durable-file.ts';

/**
 * Owner-only, synced to disk: sealed data must not outlive its key. Creates the folder, because `DATA_DIR` may be
 * missing with an external database.
 */
export async function writeSecret(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
  await replaceDurably(file, content);
}

/** Creates a random password on first use. */
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
