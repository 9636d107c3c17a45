import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';

/** Whether a signature is that of a text by an Ed25519 key of 32 bytes. False for what is no key or no signature. */
export function isSignedBy(publicKey: Uint8Array, text: Uint8Array, signature: Uint8Array): boolean {
  try {
    return signature.length === 64 && verifyOnNode(publicKey, text, signature);
  } catch {
    return false;
  }
}
