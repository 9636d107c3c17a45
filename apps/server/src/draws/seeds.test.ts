import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSeedKey, seedVault } from './seeds.ts';

const KEY = '0123456789abcdef'.repeat(4);
const DRAW = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';
const OTHER_DRAW = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e';
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('a sealed seed', () => {
  it('comes back as it was, also after a restart', () => {
    fc.assert(
      fc.property(seed, (secret) => {
        expect(seedVault(KEY).unseal(seedVault(KEY).seal(secret, DRAW), DRAW)).toEqual(secret);
      }),
    );
  });

  it('does not show the seed, and never looks the same twice', () => {
    fc.assert(
      fc.property(seed, (secret) => {
        const vault = seedVault(KEY);
        const sealed = [vault.seal(secret, DRAW), vault.seal(secret, DRAW)];
        expect(sealed[0]).not.toEqual(sealed[1]);
        for (const text of sealed) expect(text.includes(secret)).toBe(false);
      }),
    );
  });

  it('is of no use to another draw, another key, or with any byte changed', () => {
    const vault = seedVault(KEY);
    const sealed = vault.seal(Buffer.alloc(32, 7), DRAW);
    expect(() => vault.unseal(sealed, OTHER_DRAW)).toThrow('unable to authenticate');
    expect(() => seedVault('ff'.repeat(32)).unseal(sealed, DRAW)).toThrow('unable to authenticate');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => vault.unseal(changed, DRAW), `byte ${index}`).toThrow('unable to authenticate');
    }
    expect(() => vault.unseal(sealed.subarray(0, -1), DRAW)).toThrow('unable to authenticate');
  });
});

describe('the seed key', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'drawhouse-seeds-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('of the settings comes first, and leaves nothing on disk', async () => {
    expect(await loadSeedKey({ seedKey: KEY, dataDir })).toBe(KEY);
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
  });

  it('is made once at random, kept, and readable by its owner alone', async () => {
    const first = await loadSeedKey({ seedKey: undefined, dataDir });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await loadSeedKey({ seedKey: undefined, dataDir })).toBe(first);
    const { mode } = await stat(join(dataDir, 'seed.key'));
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
    await rm(join(dataDir, 'seed.key'));
    expect(await loadSeedKey({ seedKey: undefined, dataDir })).not.toBe(first);
  });

  it('that is kept may end with a line break', async () => {
    await writeFile(join(dataDir, 'seed.key'), `${KEY}\n`);
    expect(await loadSeedKey({ seedKey: undefined, dataDir })).toBe(KEY);
  });

  it('that was damaged stops the start, and is left for a person to look at', async () => {
    await writeFile(join(dataDir, 'seed.key'), KEY.slice(0, 40));
    await expect(loadSeedKey({ seedKey: undefined, dataDir })).rejects.toThrow('seed.key');
    expect(await readFile(join(dataDir, 'seed.key'), 'utf8')).toBe(KEY.slice(0, 40));
  });
});
