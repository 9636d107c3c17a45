import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBackup, deleteBackup, exportBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { TestApp, type Network } from '../../../test/harness.ts';
import { perTier } from '../../../test/test-tier.ts';
import { readBackups } from './backup-folders.ts';
import { MANIFEST } from '../take/archive/manifest.ts';

let t: TestApp;
let net: Network;
let own: string;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  await t.ok(exportBackup, {}, net.admin);
  own = path.join(t.backupDir, net.admin._id);
});
afterAll(() => t.close());

const list = async () => (await t.ok(listBackups, {}, net.admin)).backups;
const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;

describe('the backup folder', () => {
  it('ignores links and files, and never deletes through them', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
    await cp(path.join(own, await backUp()), elsewhere, { recursive: true });
    const [link, file] = ['2026-01-01T00-00-00Z-abcdef', '2026-01-02T00-00-00Z-abcdef'];
    await symlink(elsewhere, path.join(own, link));
    await writeFile(path.join(own, file), 'no folder');
    const before = await readdir(elsewhere);
    const names = (await list()).map(({ name }) => name);
    expect(names).not.toContain(link);
    expect(names).not.toContain(file);
    for (const folder of [link, file])
      expect((await t.call(deleteBackup, { query: { folder } }, net.admin)).status).toBe(404);
    expect(await readdir(elsewhere)).toEqual(before);
    await rm(elsewhere, { recursive: true });
  });

  it('neither waits on a pipe nor follows a link', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `2026-01-03T00-00-0${index}Z-abcdef`);
    for (const name of names) {
      await mkdir(path.join(own, name));
      execFileSync('mkfifo', [path.join(own, name, MANIFEST)]);
    }
    const linked = await backUp();
    await rm(path.join(own, linked, MANIFEST));
    await symlink('/dev/zero', path.join(own, linked, MANIFEST));
    const damaged = (await list()).filter(({ state }) => state === 'damaged');
    expect(damaged.map(({ name, problems }) => [name, problems])).toEqual(
      [linked, ...names.toReversed()].map((name) => [name, ["manifest.json can't be read: it is not a file"]]),
    );
    for (const folder of [linked, ...names]) await t.ok(deleteBackup, { query: { folder } }, net.admin);
  });

  it('treats a backup with a pipe or link as damaged', async () => {
    const folder = await backUp();
    const file = (name: string): string => path.join(own, folder, name);
    await rm(file('tickets.zst'));
    execFileSync('mkfifo', [file('tickets.zst')]);
    await rm(file('images.zst'));
    await symlink('/dev/zero', file('images.zst'));
    const { problems } = await t.ok(checkBackup, { query: { folder } }, net.admin);
    expect(problems).toEqual([
      "images.zst can't be read: it is not a file",
      "tickets.zst can't be read: it is not a file",
    ]);
    await t.ok(deleteBackup, { query: { folder } }, net.admin);
  });

  it('tolerates a manifest that is a folder or far too large', async () => {
    const [asFolder, large] = ['2026-01-04T00-00-00Z-abcdef', '2026-01-05T00-00-00Z-abcdef'];
    await mkdir(path.join(own, asFolder, MANIFEST), { recursive: true });
    await mkdir(path.join(own, large));
    await writeFile(path.join(own, large, MANIFEST), Buffer.alloc(2e6, '['));
    const stateOf = async (of: string) => (await list()).find(({ name }) => name === of);
    expect(await stateOf(asFolder)).toMatchObject({ state: 'damaged' });
    expect(await stateOf(large)).toMatchObject({ problems: ["manifest.json can't be read: it is too large"] });
    for (const folder of [asFolder, large]) await t.ok(deleteBackup, { query: { folder } }, net.admin);
    expect(await stateOf(asFolder)).toBeUndefined();
  });

  it('opens few files at once, however many backups exist', async () => {
    const many = perTier(300, 2_000);
    const dir = await mkdtemp(path.join(tmpdir(), 'many-'));
    const adminId = randomUUID();
    const manifest = await readFile(path.join(own, (await list())[0]!.name, MANIFEST));
    for (let index = 0; index < many; index++) {
      const folder = path.join(dir, adminId, `2026-01-01T00-00-00Z-${index.toString(16).padStart(6, '0')}`);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, MANIFEST), manifest);
    }
    const open = (): number => readdirSync('/dev/fd').length;
    const before = open();
    let most = 0;
    let done = false;
    const reading = readBackups(dir, adminId).finally(() => (done = true));
    for (; !done; await new Promise(setImmediate)) most = Math.max(most, open());
    expect(await reading).toHaveLength(many);
    expect(most - before).toBeLessThan(100);
    await rm(dir, { recursive: true });
  });
});
