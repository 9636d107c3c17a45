import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as contract from '@drawhouse/contract/backup/backups';
import { ROLES } from '@drawhouse/contract/core/primitives';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { callsOf, RecordingParts } from '../../../test/backups/recording-parts.ts';
import { MANIFEST } from './archive/manifest.ts';
import { SCHEDULE } from '../keep/next-step.ts';

const fake = new RecordingParts();

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start({ backupParts: fake.parts, backupQuota: 2 });
  other = await t.network({ credit: 0 });
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 10 });
  fake.reset();
});

const make = async (as: SignedIn = net.admin): Promise<string> => (await t.ok(contract.exportBackup, {}, as)).folder;
const list = (as: SignedIn = net.admin) => t.ok(contract.listBackups, {}, as);
async function changeManifest(name: string, change: object): Promise<void> {
  const file = path.join(folderOf(name), MANIFEST);
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }));
}
const makeBy = (name: string, by: string): Promise<void> => changeManifest(name, { by });
const folderOf = (name: string, of: SignedIn = net.admin) => path.join(t.backupDir, of._id, name);

describe('access to backups', () => {
  it('is limited to the admin role for every call', async () => {
    const folder = await make();
    const calls = [
      ...callsOf(t, folder),
      ['list-backups', (as: SignedIn) => t.call(contract.listBackups, {}, as)],
      ['progress', (as: SignedIn) => t.call(contract.backupProgress, {}, as)],
      ['exportbackup', (as: SignedIn) => t.call(contract.exportBackup, {}, as)],
      ['undo', (as: SignedIn) => t.call(contract.undoRestore, {}, as)],
    ] as const;
    const allowed: string[] = [];
    for (const role of ROLES.filter((each) => each !== 'admin'))
      for (const [name, send] of calls) if ((await send(net[role])).status !== 403) allowed.push(`${role}: ${name}`);
    expect(allowed).toEqual([]);
    expect(fake.asked).toEqual([]);
    expect((await list()).folders).toEqual([folder]);
  });

  it("covers only the admin's own network, under its own name", async () => {
    const [own, foreign] = [await make(), await make(other.admin)];
    await mkdir(folderOf('not-a-backup'), { recursive: true });
    const names = [
      foreign,
      `../${other.admin._id}/${foreign}`,
      `./${own}`,
      `${own}/`,
      `${own}/.`,
      `${own}\0`,
      own.toLowerCase(),
      '..',
      '.',
      '/etc',
      'not-a-backup',
      `${own}/manifest.json`,
      'x'.repeat(5_000),
    ];
    const found: string[] = [];
    for (const name of names)
      for (const [call, send] of callsOf(t, name)) {
        const { status, body } = await send(net.admin);
        if (body.code !== 'NOT_FOUND') found.push(`${call} ${name.slice(0, 80)}: ${status}`);
      }
    expect(found).toEqual([]);
    expect(fake.asked).toEqual([]);
    expect((await list()).folders).toEqual([own]);
    expect((await list(other.admin)).folders).toContain(foreign);
  });
});

describe("a network's backup quota", () => {
  it('excludes scheduled backups and those of clearings and restores', async () => {
    const [first, second] = [await make(), await make()];
    const full = {
      status: 422,
      body: { code: 'RULE_REFUSED', message: 'Your network has 2 backups, and the limit is 2. Delete one first.' },
    };
    expect(await t.call(contract.exportBackup, {}, net.admin)).toMatchObject(full);
    await t.ok(contract.importBackup, { query: { folder: first } }, net.admin);
    for (const by of [SCHEDULE, `${net.admin.username}, before clearing`, `${net.admin.username}, before a restore`]) {
      await makeBy(second, by);
      const another = await make();
      expect(await t.call(contract.exportBackup, {}, net.admin)).toMatchObject(full);
      await t.ok(contract.deleteBackup, { query: { folder: another } }, net.admin);
    }
    expect((await list()).folders).toHaveLength(2);
  });

  it('allows as many restores in 90 days', async () => {
    const { username } = net.admin;
    const safety = [await make(), await make()];
    for (const name of safety) await makeBy(name, `${username}, before a restore`);
    const first = await make();
    const refused = {
      code: 'RULE_REFUSED',
      message: expect.stringContaining('Your network was restored 2 times in 90 days'),
    };
    const restore = () => t.call(contract.importBackup, { query: { folder: first } }, net.admin);
    expect((await restore()).body).toMatchObject(refused);
    expect((await t.call(contract.undoRestore, {}, net.admin)).body).toMatchObject(refused);
    expect(fake.asked).toEqual([]);
    for (const name of safety)
      expect((await t.call(contract.deleteBackup, { query: { folder: name } }, net.admin)).body).toMatchObject({
        code: 'RULE_REFUSED',
        message: expect.stringContaining('After 90 days, the superadmin can'),
      });
    await changeManifest(safety[0]!, { takenAt: new Date(t.clock.now().getTime() - 90 * 86_400_000).toISOString() });
    expect((await restore()).status).toBe(200);
  });
});
