import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** Longer than any line: 40 digits, a colon, a count. */
const WINDOW_BYTES = 128;
const HASH_DIGITS = 40;

/** A list in the format of Have I Been Pwned: lines `SHA1:COUNT`, sorted by hash. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Never reads the whole list. Throws if the file is unreadable or no such list. */
export async function openBreachedPasswords(path: string): Promise<BreachedPasswords> {
  const file = await open(path);
  const { size } = await file.stat();
  const first = await lineFrom(file, 0);
  if (!first || !/^[0-9A-F]{40}(:\d+)?$/i.test(first.text)) {
    await file.close();
    throw new Error(`BREACHED_PASSWORDS: ${path} is not a sorted list of SHA-1 hashes.`);
  }
  return {
    has: (password) => isListed(file, size, createHash('sha1').update(password).digest('hex').toUpperCase()),
    close: () => file.close(),
  };
}

async function isListed(file: FileHandle, size: number, hash: string): Promise<boolean> {
  let [from, until] = [0, size];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    const line = await lineFrom(file, middle);
    if (!line || line.at >= until) {
      until = middle;
      continue;
    }
    const found = line.text.slice(0, HASH_DIGITS).toUpperCase();
    if (found === hash) return true;
    if (found < hash) from = line.at + line.text.length + 1;
    else until = middle;
  }
  return false;
}

async function lineFrom(
  file: FileHandle,
  at: number,
): Promise<{ readonly at: number; readonly text: string } | undefined> {
  // The byte before shows if a line begins at `at`.
  const start = Math.max(0, at - 1);
  const buffer = Buffer.alloc(2 * WINDOW_BYTES);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  const text = buffer.toString('latin1', 0, bytesRead);
  const begins = at === 0 ? 0 : text.indexOf('\n') + 1;
  if ((at > 0 && begins === 0) || begins >= bytesRead) return undefined;
  const ends = text.indexOf('\n', begins);
  return { at: start + begins, text: text.slice(begins, ends === -1 ? bytesRead : ends).replace(/\r$/, '') };
}
