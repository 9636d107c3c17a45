import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLogFile, logFilesOf } from './log-file.ts';

let dir: string;
let files: readonly [string, string];
const failures: string[] = [];
const failed = (error: Error): void => void failures.push((error as NodeJS.ErrnoException).code!);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kept-log-'));
  files = logFilesOf(dir, 3000);
  failures.length = 0;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it('writes every second, privately, appending, and completes at the end', async () => {
  const first = openLogFile(files, failed);
  first.write('one\n');
  await expect.poll(() => readFile(files[0], 'utf8').catch(() => '')).not.toBe('');
  first.write('two\n');
  first.close();
  first.write('too late\n');
  const second = openLogFile(files, failed);
  second.write('three\n');
  second.close();
  expect(await readFile(files[0], 'utf8')).toBe('one\ntwo\nthree\n');
  expect((await stat(files[0])).mode & 0o777).toBe(0o600);
  expect(failures).toEqual([]);
});

it('rotates at one megabyte, replacing the previous file', async () => {
  for (const name of ['first', 'second', 'third']) {
    const log = openLogFile(files, failed);
    for (let nth = 0; nth < 10; nth++) log.write(`${name} ${'x'.repeat(20_000)}\n`);
    log.close();
    if (name !== 'third') await writeFile(files[0], `${name}\n${'x'.repeat(1_000_000)}`);
  }
  expect((await readFile(files[1], 'utf8')).startsWith('second\n')).toBe(true);
  expect((await readFile(files[0], 'utf8')).startsWith('third ')).toBe(true);
});

it('drops unwritable lines, says so once, and stays within its size', async () => {
  await writeFile(join(dir, 'log'), 'no folder');
  const log = openLogFile(files, failed);
  for (let nth = 0; nth < 100; nth++) log.write(`${'x'.repeat(10_000)}\n`);
  log.close();
  expect(failures).toEqual(['EEXIST']);
  await rm(join(dir, 'log'));
  const next = openLogFile(files, failed);
  for (let nth = 0; nth < 100; nth++) next.write(`${'x'.repeat(10_000)}\n`);
  next.close();
  expect((await stat(files[0])).size).toBe(25 * 10_001);
  expect(failures).toHaveLength(1);
});
