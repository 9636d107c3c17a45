import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Keys that were asked for last: a draw has one or a few. */
const keys = new LRUCache<string, KeyObject>({ max: 100 });

/** Whether a signature is that of a text by an Ed25519 key of 32 bytes. False for what is no key or no signature. */
export function isSignedBy(publicKey: Uint8Array, text: Uint8Array, signature: Uint8Array): boolean {
  const name = Buffer.from(publicKey).toString('hex');
  try {
    let key = keys.get(name);
    if (!key) {
      key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
      keys.set(name, key);
    }
    return signature.length === 64 && verify(null, text, key, signature);
  } catch {
    return false;
  }
}
