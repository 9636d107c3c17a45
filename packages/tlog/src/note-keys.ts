import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export const SIGNATURE_TYPES = { ed25519: 0x01, cosignature: 0x04 } as const;
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

export const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const VERIFIER_KEY = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/;

export type NoteKey = {
  /** No spaces or plus signs. By convention a URL without scheme. */
  readonly name: string;
  /** First four bytes of SHA-256 over name, newline, type and public key; 8 hex digits. */
  readonly id: string;
  readonly type: SignatureType;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
};

export function isKeyName(name: string): boolean {
  return name.length > 0 && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}

export function noteKey(name: string, type: SignatureType, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name))
    throw new RangeError(
      `A key's name has no spaces and no plus signs; this one is not valid: ${JSON.stringify(name)}.`,
    );
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new RangeError(`An Ed25519 public key has ${PUBLIC_KEY_BYTES} bytes, not ${publicKey.length}.`);
  const hashed = sha256
    .create()
    .update(new TextEncoder().encode(`${name}\n`))
    .update(Uint8Array.of(type))
    .update(publicKey)
    .digest();
  return { name, id: bytesToHex(hashed.subarray(0, KEY_ID_BYTES)), type, publicKey };
}

/** C2SP vkey line: name, id, and base64 of type and public key. */
export function formatNoteKey({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${base64Of(Uint8Array.of(type, ...publicKey))}`;
}

/** Null if malformed or of unknown type, or if the id does not match. */
export function parseNoteKey(text: string): NoteKey | null {
  const [, name, id, encoded] = VERIFIER_KEY.exec(text) ?? [];
  const bytes = encoded === undefined ? null : bytesOfBase64(encoded);
  if (name === undefined || !isKeyName(name) || bytes?.length !== 1 + PUBLIC_KEY_BYTES) return null;
  const type = Object.values(SIGNATURE_TYPES).find((each) => each === bytes[0]);
  if (type === undefined) return null;
  const key = noteKey(name, type, bytes.slice(1));
  return key.id === id ? key : null;
}

/** RFC 4648, section 4. */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Null unless canonical standard base64. */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  // Decoders ignore trailing bits.
  return base64Of(bytes) === text ? bytes : null;
}
