import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file with a secret, which its owner alone can read. Its folder is made where it is missing, as `DATA_DIR` is beside a database of one's own. */
export async function writeSecret(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600 });
  await chmod(file, 0o600);
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
