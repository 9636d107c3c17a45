import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { activityLog } from '@drawhouse/contract/activity/activity';
import * as contract from '@drawhouse/contract/backup/backups';
import type { Backup } from '@drawhouse/contract/backup/backups';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { callsOf, RecordingParts } from '../../../test/backups/recording-parts.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import { CallError } from '../../platform/http/http-errors.ts';

const fake = new RecordingParts();
const { asked, parts } = fake;

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start({ backupParts: parts });
  other = await t.network({ credit: 0 });
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 10 });
  fake.reset();
});

const make = async (as: SignedIn = net.admin): Promise<string> => (await t.ok(contract.exportBackup, {}, as)).folder;
const list = (as: SignedIn = net.admin) => t.ok(contract.listBackups, {}, as);
const one = async (name: string): Promise<Backup> => (await list()).backups.find((each) => each.name === name)!;
const folderOf = (name: string, of: SignedIn = net.admin) => path.join(t.backupDir, of._id, name);
const subjects = async (): Promise<string[]> =>
  (await t.ok(activityLog.route, { query: { action: 'backups' } }, net.admin)).data.map(({ subject }) => subject);

describe('a taken backup', () => {
  it('is listed with its facts and logged', async () => {
    const reply = await t.call(contract.exportBackup, {}, net.admin);
    expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'Backup completed' } });
    const { folder } = reply.body;
    const answer = await list();
    expect(answer).toMatchObject({ folders: [folder], isEncrypted: false, undoUntil: null });
    expect(answer.backups).toEqual([
      {
        name: folder,
        createdAt: t.clock.now().toISOString(),
        state: 'whole',
        by: net.admin.username,
        bytes: expect.any(Number),
        rows: expect.any(Number),
        isEncrypted: false,
        problems: [],
        checkedAt: null,
        isEvidence: false,
        drilledAt: null,
        transferredAt: null,
      },
    ]);
    expect(answer.backups[0]!.rows).toBeGreaterThan(10);
    expect(await subjects()).toEqual([`Made backup "${folder}"`]);
    expect((await t.ok(contract.backupProgress, {}, net.admin)).work).toMatchObject({
      kind: 'backup',
      by: net.admin.username,
      finishedAt: t.clock.now().toISOString(),
      step: 'Copying rows',
      failure: null,
      answer: { message: 'Backup completed', folder },
    });
  });

  it('precedes older ones', async () => {
    const older = await make();
    t.clock.advance(1_000);
    const newer = await make();
    expect((await list()).folders).toEqual([newer, older]);
  });

  it('is refused without disk space or folder, and nothing is lost', async () => {
    const disk = { free: () => Promise.resolve(0.5e9), checkEveryBytes: Infinity };
    const full = await t.beside({ backupParts: { ...parts, disk } });
    const refused = await full.call(contract.exportBackup, {}, net.admin);
    await full.close();
    expect([refused.status, refused.body.code]).toEqual([422, 'RULE_REFUSED']);
    expect(refused.body.message).toMatch(/^Not enough disk space for a backup: 500 MB are free.* Nothing was lost\.$/);

    await rm(folderOf(''), { recursive: true });
    await writeFile(folderOf(''), '');
    const inTheWay = await t.call(contract.exportBackup, {}, net.admin);
    await rm(folderOf(''));
    expect(inTheWay).toMatchObject({ status: 422, body: { code: 'RULE_REFUSED' } });
    expect(inTheWay.body.message).toMatch(/^The server's backup folder can’t be used \(EEXIST\)\. Nothing was lost\./);
    expect((await t.ok(contract.backupProgress, {}, net.admin)).work).toMatchObject({ failure: inTheWay.body.message });
    expect((await list()).folders).toEqual([]);
    expect(await subjects()).toEqual([]);
  });
});

describe('while a backup runs', () => {
  async function whileHeld(act: () => Promise<void>): Promise<void> {
    await t.db.transaction(async (tx) => {
      await tx.query('lock table tickets in access exclusive mode');
      await act();
    });
  }

  it('no server does anything else with the network, and everyone sees why', async () => {
    const old = await make();
    t.clock.advance(1_000);
    const beside = await t.beside({ backupParts: parts });
    let making!: ReturnType<typeof make>;
    await whileHeld(async () => {
      making = make();
      await untilWaiting(t);
      const { work } = await beside.ok(contract.backupProgress, {}, net.admin);
      expect(work).toMatchObject({ kind: 'backup', by: net.admin.username, finishedAt: null, answer: null });
      expect((await list()).backups.map(({ state }) => state)).toEqual(['making', 'whole']);
      const refusals = [
        await beside.call(contract.exportBackup, {}, net.admin),
        await t.call(contract.undoRestore, {}, net.admin),
      ];
      for (const [name, send] of callsOf(t, old))
        if (name !== 'losses' && name !== 'downloadbackup') refusals.push(await send(net.admin));
      for (const { status, body } of refusals)
        expect([status, body.message]).toEqual([
          409,
          `A backup is being made by ${net.admin.username}. Please wait until it has finished.`,
        ]);
      expect(await t.ok(contract.backupProgress, {}, other.admin)).toMatchObject({ success: true });
    });
    expect((await list()).backups.map(({ name }) => name)).toEqual([await making, old]);
    await beside.close();
  });

  it('its client may disconnect: it completes anyway', async () => {
    const url = await listen(t.app);
    const leaving = new AbortController();
    const authorization = `Bearer ${net.admin.token}`;
    await whileHeld(async () => {
      const left = fetch(`${url}/api/backup/exportbackup`, { headers: { authorization }, signal: leaving.signal });
      await untilWaiting(t);
      leaving.abort();
      await expect(left).rejects.toThrow('aborted');
    });
    const progress = async () => (await t.ok(contract.backupProgress, {}, net.admin)).work;
    await expect.poll(progress).toMatchObject({ finishedAt: expect.any(String) as string, failure: null });
    expect((await list()).backups.map(({ state }) => state)).toEqual(['whole']);
    expect(await subjects()).toHaveLength(1);
  });

  it('a stopping server aborts it and leaves nothing', async () => {
    const beside = await t.beside({ backupParts: parts });
    const making = beside.call(contract.exportBackup, {}, net.admin);
    await whileHeld(async () => {
      await untilWaiting(t);
      await beside.close();
    });
    expect(await making).toMatchObject({
      status: 503,
      body: { code: 'NOT_READY', message: 'The server was stopped.' },
    });
    expect(await readdir(folderOf(''))).toEqual([]);
  });
});

describe('a verification', () => {
  it('reports and records its findings', async () => {
    const name = await make();
    t.clock.advance(60_000);
    const checkedAt = t.clock.now().toISOString();
    const query = { folder: name };
    expect(await t.ok(contract.checkBackup, { query }, net.admin)).toMatchObject({
      message: `Backup "${name}" is intact`,
      problems: [],
    });
    expect(await one(name)).toMatchObject({ state: 'whole', checkedAt });

    await appendFile(path.join(folderOf(name), 'accounts.zst'), 'x');
    const damaged = await t.ok(contract.checkBackup, { query }, net.admin);
    expect(damaged).toMatchObject({
      message: `Backup "${name}" is damaged`,
      problems: [expect.stringContaining('accounts.zst')],
    });
    expect(await one(name)).toMatchObject({ state: 'damaged', problems: damaged.problems });
    expect((await subjects()).slice(0, 2)).toEqual([
      `Checked backup "${name}": it is damaged`,
      `Checked backup "${name}": it is intact`,
    ]);
  });

  it('is skipped without a readable manifest, which is an error itself', async () => {
    const name = await make();
    await writeFile(path.join(folderOf(name), 'manifest.json'), '{');
    const { state, by, rows, problems: found } = await one(name);
    expect([state, by, rows]).toEqual(['damaged', null, null]);
    expect(found).toEqual([expect.stringMatching(/^manifest\.json is not a backup manifest/)]);
    const reply = await t.call(contract.checkBackup, { query: { folder: name } }, net.admin);
    expect(reply).toMatchObject({
      status: 422,
      body: { message: `This backup is damaged: ${found[0]!}`.slice(0, 500) },
    });
  });

  it('preserves earlier records, even after a truncated one', async () => {
    const name = await make();
    const query = { folder: name };
    await t.ok(contract.transferBackup, { query }, net.admin);
    await writeFile(path.join(folderOf(name), 'history.json.part'), '{"che');
    await t.ok(contract.checkBackup, { query }, net.admin);
    const now = t.clock.now().toISOString();
    expect(await one(name)).toMatchObject({ state: 'whole', transferredAt: now, checkedAt: now });
  });
});

it('an unfinished backup is marked and can only be deleted', async () => {
  const name = '2026-03-01T00-00-00Z-abcdef';
  await mkdir(folderOf(name), { recursive: true });
  expect(await one(name)).toMatchObject({ state: 'unfinished', by: null, createdAt: '2026-03-01T00:00:00.000Z' });
  for (const [call, send] of callsOf(t, name).slice(0, -1))
    expect([call, (await send(net.admin)).status]).toEqual([call, 422]);
  expect(asked).toEqual([]);
  expect(await t.ok(contract.deleteBackup, { query: { folder: name } }, net.admin)).toMatchObject({
    message: `Deleted backup "${name}"`,
  });
  expect((await list()).folders).toEqual([]);
});

describe('a backup deletion', () => {
  it('is permanent and logged', async () => {
    const [name, kept] = [await make(), await make()];
    await t.ok(contract.deleteBackup, { query: { folder: name } }, net.admin);
    expect((await list()).folders).toEqual([kept]);
    expect(await readdir(folderOf(''))).toEqual([kept]);
    expect((await t.call(contract.deleteBackup, { query: { folder: name } }, net.admin)).status).toBe(404);
    expect((await subjects())[0]).toBe(`Deleted backup "${name}"`);
  });
});

describe('a backup transfer', () => {
  it('sends the archive under its own name, records and logs it', async () => {
    const name = await make();
    expect(await t.ok(contract.transferBackup, { query: { folder: name } }, net.admin)).toMatchObject({
      message: `Transferred backup "${name}" to shared.example`,
    });
    expect(asked).toEqual([['send', name, `${net.admin.username}-${name}.zip`]]);
    expect((await one(name)).transferredAt).toBe(t.clock.now().toISOString());
    expect((await subjects())[0]).toBe(`Transferred backup "${name}" to shared.example`);
  });

  it('is refused for a damaged backup', async () => {
    const name = await make();
    await appendFile(path.join(folderOf(name), 'accounts.zst'), 'x');
    await t.ok(contract.checkBackup, { query: { folder: name } }, net.admin);
    const reply = await t.call(contract.transferBackup, { query: { folder: name } }, net.admin);
    expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining('is damaged')]);
    expect(asked).toEqual([]);
  });

  it('does not count if it fails', async () => {
    const name = await make();
    fake.sending = () => Promise.reject(new CallError('RULE_REFUSED', { message: 'The other side has no room.' }));
    expect(await t.call(contract.transferBackup, { query: { folder: name } }, net.admin)).toMatchObject({
      status: 422,
      body: { message: 'The other side has no room.' },
    });
    expect((await one(name)).transferredAt).toBeNull();
    expect(await subjects()).toHaveLength(1);
  });

  it("says so if its server's stop interrupts it", async () => {
    const name = await make();
    const beside = await t.beside({ backupParts: parts });
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    fake.sending = ({ signal }) =>
      new Promise((_, fail) => {
        signal.addEventListener('abort', () => fail(new Error('The socket was closed.')));
        begin();
      });
    const cut = beside.call(contract.transferBackup, { query: { folder: name } }, net.admin);
    await begun;
    await beside.close();
    expect(await cut).toMatchObject({ status: 503, body: { message: 'The server was stopped.' } });
    expect((await one(name)).transferredAt).toBeNull();
  });

  it('without a target explains how to set one', async () => {
    const name = await make();
    const beside = await t.beside({ backupParts: { ...parts, transferring: undefined } });
    const reply = await beside.call(contract.transferBackup, { query: { folder: name } }, net.admin);
    await beside.close();
    expect([reply.status, reply.body.code]).toEqual([422, 'RULE_REFUSED']);
    expect(reply.body.message).toMatch(/BACKUP_TRANSFER_URL/);
  });
});

describe('a backup download', () => {
  it('delivers the archive as a file, also by cookie, and is logged', async () => {
    const name = await make();
    const query = { folder: name };
    const reply = await t.call(contract.downloadBackup, { query }, { ...net.admin, cookie: true });
    expect(reply).toMatchObject({ status: 200, body: `archive of ${name}` });
    expect(reply.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${net.admin.username}-${name}.zip"`,
      'cache-control': 'no-store',
    });
    expect((await t.send('HEAD', `/api/backup/downloadbackup?folder=${name}`, net.admin)).status).toBe(200);
    expect(fake.archive.destroyed, 'a backup whose head was read is left open').toBe(true);
    expect(await subjects()).toEqual([`Downloaded backup "${name}"`, `Made backup "${name}"`]);
  });

  it('is the only thing a cookie alone may do', async () => {
    const name = await make();
    const done: string[] = [];
    for (const [call, send] of callsOf(t, name))
      if ((await send({ ...net.admin, cookie: true } as SignedIn)).status !== 401) done.push(call);
    expect(done).toEqual(['losses', 'downloadbackup']);
  });
});

describe('the restore call', () => {
  it('passes backup and new names, and returns the answer', async () => {
    const name = await make();
    const { lost, openDraws, namesTaken } = await t.ok(contract.backupLosses, { query: { folder: name } }, net.admin);
    expect([lost.changes, openDraws, namesTaken]).toEqual([4, 5, [{ username: 'anita', role: 'user' }]]);
    const query = { folder: name, renames: '{"anita":"anita2"}' };
    expect(await t.ok(contract.importBackup, { query }, net.admin)).toMatchObject({
      message: `Restored from "${name}"`,
      safetyFolder: 'before',
      notes: ['One draw is void.'],
    });
    await t.ok(contract.undoRestore, {}, net.admin);
    expect(asked).toEqual([
      ['losses', net.admin._id, name],
      ['restore', net.admin._id, name, { anita: 'anita2' }],
      ['undo', net.admin._id],
    ]);
  });

  it('ignores invalid new names', async () => {
    const name = await make();
    for (const renames of ['{', '[]', '"anita2"', 'null', '{"anita":""}', '{"anita":"an ita"}', '{"anita":7}']) {
      const reply = await t.call(contract.importBackup, { query: { folder: name, renames } }, net.admin);
      expect([renames, reply.status]).toEqual([renames, 400]);
    }
    expect(asked).toEqual([]);
  });

  it('verifies a backup or explains its faults', async () => {
    const name = await make();
    const body = { folder: name };
    expect(await t.ok(contract.drillBackup, { body }, net.admin)).toMatchObject({
      message: `Backup "${name}" can be restored`,
      problems: [],
    });
    const drilledAt = t.clock.now().toISOString();
    expect(await one(name)).toMatchObject({ state: 'whole', drilledAt });
    t.clock.advance(1_000);
    fake.problems = ['The books do not balance.'];
    expect(await t.ok(contract.drillBackup, { body }, net.admin)).toMatchObject({ problems: fake.problems });
    expect(await one(name)).toMatchObject({ state: 'damaged', problems: fake.problems, drilledAt });
    expect((await subjects())[0]).toBe(`Tested backup "${name}": it can’t be restored`);
  });

  it('reports how long the last restore can be undone', async () => {
    fake.undoUntil = new Date(t.clock.now().getTime() + 1_000);
    expect((await list()).undoUntil).toBe(fake.undoUntil.toISOString());
  });
});

it('with a key, new backups are encrypted and listed so', async () => {
  const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
  const locked = await TestApp.start({ backupKey: key, backupParts: parts });
  const { admin } = await locked.network({ credit: 0 });
  await locked.ok(contract.exportBackup, {}, admin);
  const answer = await locked.ok(contract.listBackups, {}, admin);
  expect([answer.isEncrypted, answer.backups[0]!.isEncrypted]).toEqual([true, true]);
  await locked.close();
});
