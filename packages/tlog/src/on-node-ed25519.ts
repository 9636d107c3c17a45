import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Ed25519Signer } from './note-signatures.ts';

/** What stands before the 32 bytes of a key in DER: PKCS#8 of a private one, SubjectPublicKeyInfo of a public one (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** A signer by the 32 bytes of an Ed25519 private key (RFC 8032). Throws RangeError where they are not 32. */
export function signerOf(privateKey: Uint8Array): Ed25519Signer {
  if (privateKey.length !== KEY_BYTES)
    throw new RangeError(`An Ed25519 private key has ${KEY_BYTES} bytes, not ${privateKey.length}.`);
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, privateKey]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: rawPublicKey(createPublicKey(key)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

/** A new private key, 32 random bytes. */
export function newPrivateKey(): Uint8Array {
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  return new Uint8Array(der.subarray(-KEY_BYTES));
}

/** Whether an Ed25519 signature is that of a message by a public key of 32 bytes, by OpenSSL. */
export function verifyOnNode(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES));
}
