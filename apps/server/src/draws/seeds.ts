import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSecret } from '../db/embedded.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps the seeds of unfinished draws from whoever reads the database. */
export interface SeedVault {
  /** AES-256-GCM with the draw's id bound to it: a sealed seed can't be moved to another draw. */
  seal(seed: Buffer, drawId: string): Buffer;
  /** Throws when the key is another or the text was changed. */
  unseal(sealed: Buffer, drawId: string): Buffer;
}

/** A vault with a key of 64 hex digits. */
export function seedVault(keyHex: string): SeedVault {
  const key = Buffer.from(keyHex, 'hex');
  return {
    seal(seed, drawId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(drawId));
      const sealed = Buffer.concat([cipher.update(seed), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    unseal(sealed, drawId) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(drawId))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

/** The key from the settings, or the one kept in the data folder, made there at the first start. */
export async function loadSeedKey(config: { seedKey: string | undefined; dataDir: string }): Promise<string> {
  if (config.seedKey !== undefined) return config.seedKey;
  const file = join(config.dataDir, 'seed.key');
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/i.test(key))
      throw new Error(`${file} must hold 64 hex digits. Put back the file that was there.`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const key = randomBytes(KEY_BYTES).toString('hex');
    await writeSecret(file, key);
    return key;
  }
}
