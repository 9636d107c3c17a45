import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { Ed25519Signer } from '../note-signatures.ts';

/** DER prefixes of raw 32-byte keys: PKCS#8 and SubjectPublicKeyInfo (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** Takes an RFC 8032 private key. */
export function signerOf(privateKey: Uint8Array): Ed25519Signer {
  if (privateKey.length !== KEY_BYTES)
    throw new RangeError(`An Ed25519 private key has ${KEY_BYTES} bytes, not ${privateKey.length}.`);
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, privateKey]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: rawPublicKey(createPublicKey(key)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

export function newPrivateKey(): Uint8Array {
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  return new Uint8Array(der.subarray(-KEY_BYTES));
}

export function verifyOnNode(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES));
}
