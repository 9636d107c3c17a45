import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Separates this key from that of the seeds. */
const PURPOSE = 'drawhouse second factors';

/** Encrypts secrets of second factors, and challenges that clients carry between two calls. */
export interface FactorVault {
  /** AES-256-GCM. `boundTo` is associated data: the text opens only for the same. */
  seal(text: string, boundTo: string): Buffer;
  /** Undefined for another key, altered text or a different `boundTo`. */
  open(sealed: Buffer, boundTo: string): string | undefined;
}

/** The key is derived from the seed key, so there is no second key to keep. */
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
