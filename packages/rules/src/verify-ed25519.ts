import { ed25519 } from '@noble/curves/ed25519.js';

/** Whether a signature is that of a text by an Ed25519 key, for machines that have nothing of their own for it. Throws for bytes that can be neither. */
export function isEd25519(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean {
  return ed25519.verify(signature, text, publicKey);
}
