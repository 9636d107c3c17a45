/**
 * Whether a page can verify signatures: browsers give their cryptography to pages over HTTPS and on localhost alone, and Ed25519 is not in all of them. Nothing
 * stands in for it: a page that can't verify says so.
 */
export async function canVerifyInBrowser(): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  if (!subtle) return false;
  return subtle.importKey('raw', ANY_KEY, 'Ed25519', false, ['verify']).then(
    () => true,
    () => false,
  );
}

/** The public key of RFC 8032, section 7.1, test 1. */
const ANY_KEY = Uint8Array.from(
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'.match(/../g)!,
  (digits) => Number.parseInt(digits, 16),
);

/**
 * Whether an Ed25519 signature is that of a message by a public key of 32 bytes, by WebCrypto, which browsers and Node have. Rejects where the browser has no
 * Ed25519 (`canVerifyInBrowser`), or the bytes are no public key.
 */
export async function verifyInBrowser(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', publicKey.slice(), 'Ed25519', false, ['verify']);
  return subtle.verify('Ed25519', key, signature.slice(), message.slice());
}
