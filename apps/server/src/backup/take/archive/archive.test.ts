import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { sampleBackup, type SampleBackup } from '../../../../test/backups/sample-backup.ts';
import { createArchive } from './archive.ts';
import { BackupRefused } from '../../keep/disk-space.ts';
import { MANIFEST, manifestText, type Manifest } from './manifest.ts';
import { openArchive } from '../../load/unpack-archive.ts';

const NEVER = new AbortController().signal;
let dir: string;
let backup: SampleBackup;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'archive-'));
  backup = await sampleBackup(path.join(dir, 'backups'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function archive(zip?: ZipFile): Promise<string> {
  const file = path.join(dir, 'backup.zip');
  zip?.end();
  await pipeline(zip?.outputStream ?? createArchive(backup.folder), createWriteStream(file));
  return file;
}

const unpack = (file: string, into = path.join(dir, 'unpacked')): Promise<string> =>
  openArchive(file, (open) => open.unpack(into, NEVER));

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'hex')));
  return Object.fromEntries(names.map((name, i) => [name, contents[i]!]));
}

describe('an archive', () => {
  it("contains the manifest's files, the manifest last, and nothing else", async () => {
    const before = await contentsOf(backup.folder);
    await writeFile(path.join(backup.folder, 'checked.json'), '{}');
    const archiveStream = createArchive(backup.folder);
    const bytes = await archiveStream.bytes;
    const file = path.join(dir, 'backup.zip');
    await pipeline(archiveStream, createWriteStream(file));
    expect((await stat(file)).size).toBe(bytes);
    expect(await openArchive(file, ({ name, manifest }) => Promise.resolve({ name, manifest }))).toEqual({
      name: backup.name,
      manifest: backup.manifest,
    });
    const folder = await unpack(file);
    expect(folder).toBe(path.join(dir, 'unpacked', backup.name));
    expect(await contentsOf(folder)).toEqual(before);
    const whole = (await readFile(file)).toString('latin1');
    const places = Object.keys(before).map((name) => ({ name, at: whole.indexOf(`${backup.name}/${name}`) }));
    expect(places.toSorted((a, b) => b.at - a.at)[0]!.name).toBe(MANIFEST);
  });

  it('is private once unpacked', async () => {
    const folder = await unpack(await archive());
    const modeOf = async (at: string): Promise<number> => (await stat(at)).mode & 0o777;
    expect(await modeOf(folder)).toBe(0o700);
    for (const name of await readdir(folder))
      expect(await modeOf(path.join(folder, name)), `mode of ${name}`).toBe(0o600);
  });

  it("opens in the machine's own archive programs", async () => {
    const file = await archive();
    const before = await contentsOf(backup.folder);
    const programs: Readonly<Record<string, (to: string) => string[]>> = {
      unzip: (to) => ['-q', file, '-d', to],
      python3: (to) => ['-m', 'zipfile', '-e', file, to],
      bsdtar: (to) => ['-xf', file, '-C', to],
      '7z': (to) => ['x', file, `-o${to}`],
    };
    for (const [program, argsFor] of Object.entries(programs)) {
      if (spawnSync(program, ['--help']).error) continue;
      const to = await mkdtemp(path.join(dir, `${program}-`));
      expect(spawnSync(program, argsFor(to), { encoding: 'utf8' }), `by ${program}`).toMatchObject({ status: 0 });
      expect(await contentsOf(path.join(to, backup.name)), `by ${program}`).toEqual(before);
    }
  });

  it('aborts if a file differs from the manifest or the folder is incomplete', async () => {
    const tickets = path.join(backup.folder, 'tickets.zst');
    const content = await readFile(tickets);
    await writeFile(tickets, Buffer.concat([content.subarray(1), content.subarray(0, 1)]));
    await expect(archive()).rejects.toThrow('tickets.zst was changed: its SHA-256 differs from the manifest');
    await truncate(tickets, 10);
    await expect(archive()).rejects.toThrow('tickets.zst has 10 bytes, but the manifest says 300000');
    await rm(tickets);
    await expect(archive()).rejects.toThrow('tickets.zst is missing');
    await rm(path.join(backup.folder, MANIFEST));
    await expect(archive()).rejects.toThrow('manifest.json is missing: the backup was not finished');
  });

  it('closes files that are not read to the end', async () => {
    const archiveStream = createArchive(backup.folder);
    const closed = new Promise((done) => archiveStream.once('close', done));
    archiveStream.once('data', () => archiveStream.destroy());
    await closed;
    await expect.poll(() => openBelow(dir)).toEqual([]);
  });
});

async function openBelow(folder: string): Promise<string[]> {
  const fds = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}

describe('refuses invalid archives and leaves nothing:', () => {
  function zipOf(entries: Readonly<Record<string, string | Buffer | undefined>>, compress = false): ZipFile {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(entries))
      if (content !== undefined) zip.addBuffer(Buffer.from(content), name, { compress });
    return zip;
  }
  const inFolder = (name: string): string => `${backup.name}/${name}`;
  async function entriesOf(change: Readonly<Record<string, string | Buffer | undefined>> = {}) {
    const names = [...backup.manifest.files.map(({ table }) => `${table}.zst`), MANIFEST];
    const found = await Promise.all(names.map((name) => readFile(path.join(backup.folder, name))));
    return { ...Object.fromEntries(names.map((name, i) => [inFolder(name), found[i]!])), ...change };
  }
  const manifestWith = (change: Partial<Manifest>): Record<string, string> => ({
    [inFolder(MANIFEST)]: manifestText({ ...backup.manifest, ...change }),
  });
  const damage = async (): Promise<string> => {
    const file = await archive();
    const content = await readFile(file);
    const at = content.indexOf('tickets.zst') + 1_000;
    content[at] = content[at]! ^ 1;
    await writeFile(file, content);
    return file;
  };

  const cases: readonly [string, () => Promise<string>, RegExp][] = [
    [
      'a file that is not a zip',
      async () => {
        await writeFile(path.join(dir, 'backup.zip'), 'hello');
        return path.join(dir, 'backup.zip');
      },
      /^backup\.zip is not a backup archive: .*end of central directory/i,
    ],
    [
      'a truncated archive',
      async () => {
        const file = await archive();
        await truncate(file, 200_000);
        return file;
      },
      /end of central directory/i,
    ],
    [
      'an archive without a manifest',
      async () => archive(zipOf(await entriesOf({ [inFolder(MANIFEST)]: undefined }))),
      /it has no manifest\.json/,
    ],
    ['an archive with a changed byte', damage, /^tickets\.zst was changed: its SHA-256 differs from the manifest$/],
    [
      'a path outside the folder',
      async () => {
        const file = await archive(zipOf(await entriesOf({ 'xx/yy.zst': 'evil' })));
        const bytes = (await readFile(file)).toString('latin1');
        await writeFile(file, bytes.replaceAll('xx/yy.zst', '../yy.zst'), 'latin1');
        return file;
      },
      /invalid relative path: \.\.\/yy\.zst/,
    ],
    [
      'a folder with another name',
      () => archive(zipOf({ [`evil/${MANIFEST}`]: manifestText(backup.manifest) })),
      /its folder does not have a backup's name: evil/,
    ],
    [
      'a file missing from the manifest',
      async () => archive(zipOf(await entriesOf({ [inFolder('more.zst')]: 'x' }))),
      /more\.zst is not in the manifest/,
    ],
    [
      'a missing file',
      async () => archive(zipOf(await entriesOf({ [inFolder('draws.zst')]: undefined }))),
      /draws\.zst is missing/,
    ],
    [
      'a file with another size',
      async () => archive(zipOf(await entriesOf({ [inFolder('tickets.zst')]: 'x' }))),
      /tickets\.zst has 1 bytes, but the manifest says 300000/,
    ],
    [
      'a compressed entry',
      async () => archive(zipOf(await entriesOf(), true)),
      /was repacked\. Use the archive as it was downloaded/,
    ],
    [
      'a duplicate name',
      async () => {
        const zip = zipOf(await entriesOf());
        zip.addBuffer(Buffer.from('x'), inFolder('tickets.zst'), { compress: false });
        return archive(zip);
      },
      /tickets\.zst twice/,
    ],
    [
      'an oversized manifest',
      async () => archive(zipOf(await entriesOf({ [inFolder(MANIFEST)]: Buffer.alloc(1_000_001, ' ') }))),
      /its manifest\.json is too large/,
    ],
    [
      'an invalid manifest',
      async () => archive(zipOf(await entriesOf({ [inFolder(MANIFEST)]: '{}' }))),
      /^manifest\.json is not a backup manifest/,
    ],
    [
      'overlapping files',
      async () => {
        const tickets = backup.manifest.files.find(({ table }) => table === 'tickets');
        const file = await archive(
          zipOf(
            await entriesOf({
              ...manifestWith({ files: [...backup.manifest.files, { ...tickets!, table: 'tickats' }] }),
              [inFolder('tickats.zst')]: 'x',
            }),
          ),
        );
        await shareEntry(file, inFolder('tickats.zst'), inFolder('tickets.zst'));
        return file;
      },
      /its files are larger than the archive/,
    ],
  ];

  it.each(cases)('%s', async (_what, make, sentence) => {
    const file = await make();
    await expect(unpack(file)).rejects.toThrow(sentence);
    expect(await readdir(path.join(dir, 'unpacked')).catch(() => [])).toEqual([]);
    expect((await readdir(dir)).toSorted()).toEqual(expect.not.arrayContaining(['yy.zst']));
  });

  async function shareEntry(file: string, name: string, as: string): Promise<void> {
    const content = await readFile(file);
    const recordOf = (entry: string): number => content.lastIndexOf(entry) - 46;
    const [from, to] = [recordOf(as), recordOf(name)];
    // CRC, both sizes, offset.
    content.copy(content, to + 16, from + 16, from + 28);
    content.copy(content, to + 42, from + 42, from + 46);
    await writeFile(file, content);
  }
});

describe('a whole archive', () => {
  it('is never unpacked over a backup or onto a full disk', async () => {
    const file = await archive();
    await unpack(file);
    await expect(unpack(file)).rejects.toThrow(`A backup ${backup.name} already exists.`);
    const full = { free: () => Promise.resolve(1.0001e9), checkEveryBytes: 1 };
    const refused = openArchive(file, (open) => open.unpack(path.join(dir, 'full'), NEVER, full));
    await expect(refused).rejects.toThrow(BackupRefused);
    expect(await readdir(path.join(dir, 'full'))).toEqual([]);
  });

  it('leaves nothing when canceled', async () => {
    const stop = new AbortController();
    stop.abort(new Error('given up'));
    const unpacking = openArchive(await archive(), (open) => open.unpack(path.join(dir, 'given-up'), stop.signal));
    await expect(unpacking).rejects.toThrow('given up');
    expect(await readdir(path.join(dir, 'given-up'))).toEqual([]);
  });

  it("may contain its folder's entry and extra entries after it", async () => {
    const zip = new ZipFile();
    zip.addEmptyDirectory(backup.name);
    for (const name of await readdir(backup.folder))
      zip.addFile(path.join(backup.folder, name), `${backup.name}/${name}`, { compress: false });
    const folder = await unpack(await archive(zip));
    expect(await contentsOf(folder)).toEqual(await contentsOf(backup.folder));
  });
});

it('an archive is read at the pace of its consumer', async () => {
  const large = await sampleBackup(dir, { sizes: { tickets: 30e6 } });
  const archiveStream = createArchive(large.folder);
  const slow = new PassThrough({ highWaterMark: 1 });
  archiveStream.pipe(slow);
  await expect.poll(() => slow.writableNeedDrain).toBe(true);
  expect(archiveStream.readableLength + slow.readableLength).toBeLessThan(1e6);
  archiveStream.destroy();
});
