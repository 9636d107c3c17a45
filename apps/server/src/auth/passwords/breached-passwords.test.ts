import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBreachedPasswords } from './breached-passwords.ts';
import { hashNewPassword, refuseBreached } from './password-policy.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breached-'));
});
afterAll(async () => {
  refuseBreached(undefined);
  await rm(folder, { recursive: true });
});

const hashOf = (password: string): string => createHash('sha1').update(password).digest('hex').toUpperCase();

async function listOf(passwords: readonly string[], { counts = true, end = '\r\n' } = {}): Promise<string> {
  const path = join(folder, `${passwords.length}-${counts}-${end.length}.txt`);
  const lines = passwords.map((password, at) => hashOf(password) + (counts ? `:${10 ** (at % 8)}` : ''));
  await writeFile(path, lines.toSorted().join(end) + (counts ? end : ''));
  return path;
}

describe('a list of breached passwords', () => {
  it.each([1, 2, 3, 1_000])('finds each of %i passwords, and no other', async (count) => {
    const passwords = Array.from({ length: count }, (_, at) => `breached ${at}`);
    for (const how of [{}, { counts: false, end: '\n' }]) {
      const list = await openBreachedPasswords(await listOf(passwords, how));
      const found = await Promise.all(passwords.map((password) => list.has(password)));
      expect(found.filter((isFound) => !isFound)).toEqual([]);
      const others = Array.from({ length: 200 }, (_, at) => list.has(`other ${at}`));
      expect((await Promise.all(others)).filter(Boolean)).toEqual([]);
      await list.close();
    }
  });

  it('refuses a file that is no such list', async () => {
    const path = join(folder, 'words.txt');
    await writeFile(path, 'correct horse battery\n');
    await expect(openBreachedPasswords(path)).rejects.toThrow('BREACHED_PASSWORDS');
    await expect(openBreachedPasswords(join(folder, 'missing'))).rejects.toThrow('missing');
  });

  it('keeps its passwords from being chosen', async () => {
    const owner = { username: 'kavya' };
    refuseBreached(await openBreachedPasswords(await listOf(['orange tractor lamp'])));
    await expect(hashNewPassword('orange tractor lamp', owner, 'me')).rejects.toThrow('known from a data breach');
    await expect(hashNewPassword('orange tractor shoe', owner, 'me')).resolves.toContain('$argon2id$');
  });
});
