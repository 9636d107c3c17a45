import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { loadOrCreateSeedKey, createSeedVault, requireSeedKey } from './seeds.ts';

const KEY = '0123456789abcdef'.repeat(4);
const DRAW = { id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d', closes_at: new Date('2026-03-10T10:00:55Z') };
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('a sealed seed', () => {
  it('round-trips, also after a restart', () => {
    fc.assert(
      fc.property(seed, (secret) => {
        expect(createSeedVault(KEY).unseal(createSeedVault(KEY).seal(secret, DRAW), DRAW)).toEqual(secret);
      }),
    );
  });

  it('hides the seed and never looks the same twice', () => {
    fc.assert(
      fc.property(seed, (secret) => {
        const vault = createSeedVault(KEY);
        const sealed = [vault.seal(secret, DRAW), vault.seal(secret, DRAW)];
        expect(sealed[0]).not.toEqual(sealed[1]);
        for (const text of sealed) expect(text.includes(secret)).toBe(false);
      }),
    );
  });

  it('fails for another draw, close or key, or any changed byte', () => {
    const vault = createSeedVault(KEY);
    const sealed = vault.seal(Buffer.alloc(32, 7), DRAW);
    for (const other of [{ id: DRAW.id.replace('d', 'e') }, { closes_at: new Date(DRAW.closes_at.getTime() - 1) }])
      expect(() => vault.unseal(sealed, { ...DRAW, ...other })).toThrow('unable to authenticate');
    expect(() => createSeedVault('ff'.repeat(32)).unseal(sealed, DRAW)).toThrow('unable to authenticate');
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
  let elsewhere: string;
  const none = { seedKey: undefined, seedKeyFile: undefined, seedKeyCommand: undefined };
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'drawhouse-seeds-'));
    elsewhere = await mkdtemp(join(tmpdir(), 'drawhouse-key-'));
  });
  afterEach(async () => {
    for (const folder of [dataDir, elsewhere]) await rm(folder, { recursive: true, force: true });
  });

  it('creates a missing data folder, as with an external database', async () => {
    const folder = join(dataDir, 'not', 'there');
    const { key, inDataDir } = await loadOrCreateSeedKey({ ...none, dataDir: folder });
    expect(inDataDir).toBe(join(folder, 'seed.key'));
    expect(await readFile(inDataDir!, 'utf8')).toBe(key);
    if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('from the settings takes precedence and leaves nothing on disk', async () => {
    const kept = { key: KEY, inDataDir: undefined, readableByAll: undefined };
    expect(await loadOrCreateSeedKey({ ...none, seedKey: KEY, dataDir })).toEqual(kept);
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
  });

  it('is generated once, stored, and readable by its owner only', async () => {
    const first = await loadOrCreateSeedKey({ ...none, dataDir });
    expect(first.key).toMatch(/^[0-9a-f]{64}$/);
    expect(first.inDataDir).toBe(join(dataDir, 'seed.key'));
    expect(await loadOrCreateSeedKey({ ...none, dataDir })).toEqual(first);
    const { mode } = await stat(join(dataDir, 'seed.key'));
    if (process.platform !== 'win32') expect(mode & 0o077).toBe(0);
    await rm(join(dataDir, 'seed.key'));
    expect((await loadOrCreateSeedKey({ ...none, dataDir })).key).not.toBe(first.key);
  });

  it('is never created by a command', async () => {
    const untouched = { query: () => Promise.reject(new Error('asked')) } as unknown as Database;
    await expect(requireSeedKey(untouched, { ...none, dataDir })).rejects.toThrow('seed.key does not exist');
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
  });

  it('may end with a line break in its file', async () => {
    await writeFile(join(dataDir, 'seed.key'), `${KEY}\n`);
    expect((await loadOrCreateSeedKey({ ...none, dataDir })).key).toBe(KEY);
  });

  it('stops the start if damaged, and is left untouched', async () => {
    await writeFile(join(dataDir, 'seed.key'), KEY.slice(0, 40));
    await expect(loadOrCreateSeedKey({ ...none, dataDir })).rejects.toThrow('seed.key');
    expect(await readFile(join(dataDir, 'seed.key'), 'utf8')).toBe(KEY.slice(0, 40));
  });

  it('is read from a configured file, without one in the data folder', async () => {
    const seedKeyFile = join(elsewhere, 'key');
    await writeFile(seedKeyFile, `${KEY}\n`, { mode: 0o600 });
    const kept = { key: KEY, inDataDir: undefined, readableByAll: undefined };
    expect(await loadOrCreateSeedKey({ ...none, seedKeyFile, dataDir })).toEqual(kept);
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
    await chmod(seedKeyFile, 0o644);
    expect((await loadOrCreateSeedKey({ ...none, seedKeyFile, dataDir })).readableByAll).toBe(seedKeyFile);
  });

  it('warns that the key is beside the database if the file or a copy is in the data folder', async () => {
    const seedKeyFile = join(dataDir, 'secrets');
    await writeFile(seedKeyFile, KEY);
    expect((await loadOrCreateSeedKey({ ...none, seedKeyFile, dataDir })).inDataDir).toBe(seedKeyFile);
    const copy = join(dataDir, 'seed.key');
    await writeFile(copy, `${KEY.toUpperCase()}\n`);
    expect((await loadOrCreateSeedKey({ ...none, seedKey: KEY, dataDir })).inDataDir).toBe(copy);
    expect((await loadOrCreateSeedKey({ ...none, seedKey: 'ff'.repeat(32), dataDir })).inDataDir).toBeUndefined();
  });

  it('in a missing or invalid file stops the start without replacement', async () => {
    const seedKeyFile = join(elsewhere, 'key');
    await expect(loadOrCreateSeedKey({ ...none, seedKeyFile, dataDir })).rejects.toThrow(
      /SEED_KEY_FILE can't be read.*ENOENT/,
    );
    await writeFile(seedKeyFile, 'not a key');
    await expect(loadOrCreateSeedKey({ ...none, seedKeyFile, dataDir })).rejects.toThrow(
      /must contain 64 hex digits.*SEED_KEY_FILE/,
    );
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
  });

  it('from a command is its output, with or without line break, and not stored', async () => {
    for (const script of [`process.stdout.write('${KEY}')`, `console.log('${KEY.toUpperCase()}')`]) {
      const seedKeyCommand = [process.execPath, '-e', script];
      const { key, ...kept } = await loadOrCreateSeedKey({ ...none, seedKeyCommand, dataDir });
      expect(key.toLowerCase()).toBe(KEY);
      expect(kept).toEqual({ inDataDir: undefined, readableByAll: undefined });
    }
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
    const copy = join(dataDir, 'seed.key');
    await writeFile(copy, KEY);
    const seedKeyCommand = [process.execPath, '-e', `console.log('${KEY}')`];
    expect((await loadOrCreateSeedKey({ ...none, seedKeyCommand, dataDir })).inDataDir).toBe(copy);
  });

  it('from a command bypasses the shell and passes its words as arguments', async () => {
    const script = `console.log(process.argv[1] === '$HOME; exit 1' ? '${KEY}' : 'changed')`;
    const seedKeyCommand = [process.execPath, '-e', script, '$HOME; exit 1'];
    expect((await loadOrCreateSeedKey({ ...none, seedKeyCommand, dataDir })).key).toBe(KEY);
  });

  it('from a failing command stops the start with the reason, not the output', async () => {
    const wrong: [string[], RegExp][] = [
      [['/no/such/program'], /^SEED_KEY_COMMAND \(\/no\/such\/program\) returned no key: spawn .*ENOENT$/],
      [
        [process.execPath, '-e', `console.error('sealed'); process.exit(3)`],
        /returned no key: it exited with code 3\. sealed$/,
      ],
      [[process.execPath, '-e', ''], /it must print 64 hex digits and nothing else\.$/],
      [[process.execPath, '-e', `console.log('${KEY}${KEY}')`], /it must print 64 hex digits and nothing else\.$/],
      [[process.execPath, '-e', `console.log('x'.repeat(5000))`], /it prints more than 4096 bytes\.$/],
      [[process.execPath, '-e', `process.kill(process.pid, 'SIGKILL')`], /it was killed by SIGKILL\.$/],
    ];
    for (const [seedKeyCommand, message] of wrong) {
      const failed = await loadOrCreateSeedKey({ ...none, seedKeyCommand, dataDir }).catch(
        (error: Error) => error.message,
      );
      expect(failed).toMatch(message);
      expect(failed).not.toContain(KEY);
    }
    await expect(stat(join(dataDir, 'seed.key'))).rejects.toThrow('ENOENT');
  });

  it('from a slow command stops the start, even if its children continue', async () => {
    const seedKeyCommand = [
      process.execPath,
      '-e',
      "require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], { stdio: 'inherit' " +
        '}); setTimeout(() => {}, 60000)',
    ];
    await expect(loadOrCreateSeedKey({ ...none, seedKeyCommand, dataDir }, 1_000)).rejects.toThrow(
      /it did not finish within 1 seconds\.$/,
    );
  });
});
