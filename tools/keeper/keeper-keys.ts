import { parseNoteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { newPrivateKey, signerOf as signerOn, verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';

/** An Ed25519 key of ours as it is kept: its two halves, each 64 hex digits. */
export interface KeptKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new key. */
export function makeKey(): KeptKey {
  const privateKey = newPrivateKey();
  return { publicKey: toHex(signerOn(privateKey).publicKey), privateKey: toHex(privateKey) };
}

/** What signs with a kept key, in 128 hex digits. Ed25519 gives the same signature for the same text, each time. */
export function signerOf({ privateKey }: Pick<KeptKey, 'privateKey'>): (text: Uint8Array) => string {
  const signer = signerOn(fromHex(privateKey));
  return (text) => toHex(signer.sign(text));
}

/** What checks signatures of 128 hex digits by a public key of 64. */
export function verifierOf(publicKey: string): (text: Uint8Array, signature: string) => boolean {
  const key = fromHex(publicKey);
  return (text, signature) => verifyOnNode(key, text, fromHex(signature));
}

/**
 * The public key in 64 hex digits, from that or from a verifier key of signed notes, as a server tells it at `/seals/key`. Throws a
 * sentence for another text.
 */
export function readPublicKey(text: string): string {
  const given = text.trim();
  if (/^[0-9a-f]{64}$/i.test(given)) return given.toLowerCase();
  const key = parseNoteKey(given);
  if (key?.type === SIGNATURE_TYPES.ed25519) return toHex(key.publicKey);
  throw new Error('It must be 64 hex digits, or a verifier key as https://…/seals/key answers it.');
}

const fromHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
