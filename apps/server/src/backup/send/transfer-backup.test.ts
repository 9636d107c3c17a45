import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleBackup, type SampleBackup } from '../../../test/backups/sample-backup.ts';
import { transferWork } from '../../../test/backups/transfer-work.ts';
import { createArchive } from '../take/archive/archive.ts';
import { sendWithRename, type RemoteFolder, mountedFolder } from './send-with-rename.ts';
import { inWords } from './transfer-texts.ts';
import { createTransferring } from './transfer-backup.ts';

let dir: string;
let folder: string;
let backup: SampleBackup;
const send = (name: string, work = transferWork()) =>
  createTransferring({ kind: 'file', folder })!.send(backup.folder, name, work);

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'transfer-'));
  folder = path.join(dir, 'elsewhere');
  await mkdir(folder);
  backup = await sampleBackup(path.join(dir, 'backups'), { sizes: { accounts: 1_000, tickets: 3_000_000 } });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it('a server without a target transfers nothing', () => {
  expect(createTransferring(undefined)).toBeUndefined();
});

describe('a transfer to a folder', () => {
  it('writes the archive and reports place and size', async () => {
    const work = transferWork();
    const name = `anna-${backup.name}.zip`;
    const { bytes, where } = await send(name, work);
    expect(where).toBe(`${pathToFileURL(folder).href}/${name}`);
    expect(await readdir(folder)).toEqual([name]);
    const arrived = await readFile(path.join(folder, name));
    expect(arrived).toEqual(await buffer(createArchive(backup.folder)));
    expect(arrived).toHaveLength(bytes);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect(work.steps).toEqual([
      ['Sending', bytes],
      ['Checking the transferred archive', bytes],
    ]);
    expect(await send(name)).toEqual({ bytes, where });
    expect(await readdir(folder)).toEqual([name]);
  });

  it('removes earlier leftovers of the same network only', async () => {
    const old = '2026-01-02T03-04-05Z-abcdef.zip';
    const others = [`anna-${old}`, `ann-${old}.part`, `anna-anna-${old}.part`, 'anna-notes.zip.part', 'anna.part'];
    for (const name of [`anna-${old}.part`, ...others]) await writeFile(path.join(folder, name), 'half');
    const name = `anna-${backup.name}.zip`;
    await send(name);
    expect((await readdir(folder)).toSorted()).toEqual([name, ...others].toSorted());
  });

  it('treats any name as a file in that folder', async () => {
    for (const name of ['../../x', 'a/b', 'a_b', 'آنا', '..'].map((head) => `${head}-${backup.name}.zip`))
      await send(name);
    expect((await readdir(folder)).toSorted()).toEqual(
      ['..%2F..%2Fx', '..', 'a%2Fb', 'a_b', 'آنا'].map((head) => `${head}-${backup.name}.zip`).toSorted(),
    );
  });

  it('leaves nothing when canceled or damaged', async () => {
    const stop = new AbortController();
    const work = transferWork(stop.signal);
    const sending = send('x.zip', { ...work, progress: () => stop.abort(new Error('given up')) });
    await expect(sending).rejects.toThrow('given up');
    expect(await readdir(folder)).toEqual([]);
    await truncate(path.join(backup.folder, 'tickets.zst'), 100);
    await expect(send('x.zip')).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message: 'This backup is damaged: tickets.zst has 100 bytes, but the manifest says 3000000.',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a missing folder and never creates it', async () => {
    await rm(folder, { recursive: true });
    await expect(send('x.zip')).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message:
        `The backup was not transferred to ${pathToFileURL(folder).href}/x.zip: there is no such folder; its disk may ` +
        'not be mounted.',
    });
    await writeFile(folder, '');
    await expect(send('x.zip')).rejects.toThrow('there is no such folder');
  });
});

describe('an archive sent to a remote folder', () => {
  function sendTo(change: (far: RemoteFolder) => Partial<RemoteFolder>): Promise<number> {
    const far = mountedFolder(folder);
    const isSibling = (name: string): boolean => name === 'x.zip';
    const sending = { archive: createArchive(backup.folder), name: 'x.zip', isSibling, work: transferWork() };
    return sendWithRename({ ...far, ...change(far) }, sending);
  }

  it('is not started without space', async () => {
    await expect(sendTo(() => ({ freeBytes: async () => 2.9e6 }))).rejects.toThrow(
      'not enough space: 2.9 MB are free, and the archive needs 3 MB',
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await sendTo(() => ({ freeBytes: async () => undefined }))).toBeGreaterThan(3e6);
  });

  it('is removed if bytes differ or are missing', async () => {
    const other: Readonly<Record<string, (far: RemoteFolder) => Partial<RemoteFolder>>> = {
      byte: (far) => ({
        write: (name) => {
          const changed = new Transform({
            transform(chunk: Buffer, _encoding, done) {
              done(null, Buffer.from(chunk.map((byte) => byte ^ 1)));
            },
          });
          changed.pipe(far.write(name));
          return changed;
        },
        // A chunk becomes visible once completely written.
        bytesOf: async (name) => {
          await expect.poll(() => far.bytesOf(name)).toBeGreaterThan(3e6);
          return far.bytesOf(name);
        },
      }),
      size: () => ({ bytesOf: async () => 3 }),
      end: (far) => ({ read: (name, bytes) => far.read(name, bytes).take(1) }),
    };
    for (const [what, change] of Object.entries(other)) {
      await expect(sendTo(change), `another ${what}`).rejects.toThrow(
        'the transferred archive is damaged and was removed',
      );
      expect(await readdir(folder), `another ${what}`).toEqual([]);
    }
  });

  it('gets its name only after being read back', async () => {
    const seen: string[][] = [];
    await sendTo((far) => ({
      async bytesOf(name) {
        seen.push(await readdir(folder));
        return far.bytesOf(name);
      },
    }));
    expect(seen).toEqual([['x.zip.part']]);
    expect(await readdir(folder)).toEqual(['x.zip']);
  });
});

describe('failures are described in words:', () => {
  it.each([
    [{ code: 'ENOSPC' }, 'it is out of space'],
    [{ code: 'EROFS' }, 'this server can’t write there'],
    [{ code: 3 }, 'this server can’t write there'],
    [{ code: 4 }, 'it failed for an unknown reason; its disk may be full'],
    [{ code: 'EAI_AGAIN' }, 'its name can’t be resolved'],
    [{ name: 'TimeoutError' }, 'it does not answer'],
    [{ name: 'ExpiredToken' }, 'it rejects the access key with this secret'],
    [{ name: 'NovelError', message: 'something new' }, 'it answered “something new”'],
  ])('%j', (error, reason) => {
    const words = inWords(Object.assign(new Error(), error), 'sftp://host/x.zip');
    expect(words).toMatchObject({
      code: 'RULE_REFUSED',
      message: `The backup was not transferred to sftp://host/x.zip: ${reason}.`,
    });
  });
});
