import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
/** What stands before an Ed25519 key in a verifier key of signed notes (C2SP, signed-note). */
const NOTE_ED25519 = 0x01;

/** An Ed25519 key of ours as it is kept: its two halves, each 64 hex digits. */
export interface KeptKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new key. */
export function makeKey(): KeptKey {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { publicKey: fromBase64(x!).toString('hex'), privateKey: fromBase64(d!).toString('hex') };
}

/** What signs with a kept key, in 128 hex digits. Ed25519 gives the same signature for the same text, each time. */
export function signerOf({ publicKey, privateKey }: KeptKey): (text: Uint8Array) => string {
  const [x, d] = [publicKey, privateKey].map(toBase64);
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: x!, d: d! } });
  return (text) => sign(null, text, key).toString('hex');
}

/** What checks signatures of 128 hex digits by a public key of 64. */
export function verifierOf(publicKey: string): (text: Uint8Array, signature: string) => boolean {
  const key: KeyObject = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: toBase64(publicKey) },
  });
  return (text, signature) => verify(null, text, key, Buffer.from(signature, 'hex'));
}

/**
 * The public key in 64 hex digits, from that or from a verifier key of signed notes, `name+8 hex digits+base64`, as a server tells it at
 * `/seals/key`. Throws a sentence for another text.
 */
export function readPublicKey(text: string): string {
  const given = text.trim();
  if (/^[0-9a-f]{64}$/i.test(given)) return given.toLowerCase();
  const bytes = Buffer.from(/^[^\s+]+\+[0-9a-f]{8}\+(\S+)$/i.exec(given)?.[1] ?? '', 'base64');
  if (bytes.length === 1 + KEY_BYTES && bytes[0] === NOTE_ED25519) return bytes.subarray(1).toString('hex');
  throw new Error('It must be 64 hex digits, or a verifier key as https://…/seals/key answers it.');
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64url');
const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
