import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requireFolders } from './require-folders.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'folders-'));
  await writeFile(join(dir, 'file'), '');
});
afterAll(() => rm(dir, { recursive: true }));

it('creates only missing folders', async () => {
  const folder = join(dir, 'some', 'new', 'folder');
  await requireFolders({ DATA_DIR: folder, SEAL_DIR: folder });
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['below a file', () => join(dir, 'file', 'data'), 'part of the path is a file'],
  ['at the path of a file', () => join(dir, 'file'), 'part of the path is a file'],
  ['where nothing can be created', () => '/proc/foo/data', "it can't be created there"],
])("refuses a folder %s with the setting's name", async (_where, folder, reason) => {
  await expect(requireFolders({ BACKUP_DIR: folder() })).rejects.toThrow(
    `${folder()} is not writable (${reason}). Set BACKUP_DIR to a folder that this user can write to.`,
  );
});
