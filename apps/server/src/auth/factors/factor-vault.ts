import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Separates this key from the seeds' key. */
const PURPOSE = 'drawhouse second factors';

export interface FactorVault {
  /** AES-256-GCM. `boundTo` is associated data. */
  seal(text: string, boundTo: string): Buffer;
  /** Undefined for another key, altered text or a different `boundTo`. */
  open(sealed: Buffer, boundTo: string): string | undefined;
}

/** Derives the key from the seed key, so operators keep only one. */
export function createFactorVault(seedKeyHex: string): FactorVault {
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', Buffer.from(seedKeyHex, 'hex'), Buffer.alloc(0), PURPOSE, 32)),
  );
  return {
    seal(text, boundTo) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, boundTo) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(boundTo))
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
