import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** One hash of the names and contents of files, and of folders with all that is in them; what is missing counts as empty. */
export function hashOf(root, names) {
  const hash = createHash('sha256');
  for (const file of names.flatMap((name) => filesIn(root, name))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(root, name) {
  const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .toSorted()
    .flatMap((child) => filesIn(root, `${name}/${child}`));
}

/** The hash kept in a stamp file by the last step that succeeded, or `undefined`. */
export function readStamp(file) {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, 'utf8') : undefined;
}
