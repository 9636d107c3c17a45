import { sha256 } from '@noble/hashes/sha2.js';
import { base64Of, bytesOfBase64 } from './base64.ts';

/** The types of signatures that are known here (C2SP signed-note): plain ones of a log, and a witness's with their time. */
export const SIGNATURE_TYPES = { ed25519: 0x01, cosignature: 0x04 } as const;
/** The byte of a type of signatures that is known here. */
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

/** Bytes of an Ed25519 public key. */
export const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const VERIFIER_KEY = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/;

/** A key that verifies signatures of a note. */
export type NoteKey = {
  /** Without spaces and plus signs, by convention an address without its scheme. */
  readonly name: string;
  /** The first four bytes of SHA-256 of the name, a line's end, the type and the public key, as 8 hex digits. */
  readonly id: string;
  readonly type: SignatureType;
  /** 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
};

/** Whether a text may be the name of a key: at least a character, no spaces of Unicode, no plus signs, no control characters. */
export function isKeyName(name: string): boolean {
  return name.length > 0 && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);
}

/** A key from its parts. Throws RangeError where the name can be none, or the public key isn't 32 bytes. */
export function noteKey(name: string, type: SignatureType, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name))
    throw new RangeError(`A key's name has no spaces and no plus signs; this is none: ${JSON.stringify(name)}.`);
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new RangeError(`An Ed25519 public key has ${PUBLIC_KEY_BYTES} bytes, not ${publicKey.length}.`);
  const hashed = sha256
    .create()
    .update(new TextEncoder().encode(`${name}\n`))
    .update(Uint8Array.of(type))
    .update(publicKey)
    .digest();
  return { name, id: hexOf(hashed.subarray(0, KEY_ID_BYTES)), type, publicKey };
}

/** A key as one line of text (C2SP signed-note, vkey): its name, its id and, in base64, its type and public key. */
export function formatNoteKey({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${base64Of(Uint8Array.of(type, ...publicKey))}`;
}

/** The key of such a line; null where it is none, its id isn't that of its parts, or its type isn't known here. */
export function parseNoteKey(text: string): NoteKey | null {
  const [, name, id, encoded] = VERIFIER_KEY.exec(text) ?? [];
  const bytes = encoded === undefined ? null : bytesOfBase64(encoded);
  if (name === undefined || !isKeyName(name) || bytes?.length !== 1 + PUBLIC_KEY_BYTES) return null;
  const type = Object.values(SIGNATURE_TYPES).find((known) => known === bytes[0]);
  if (type === undefined) return null;
  const key = noteKey(name, type, bytes.slice(1));
  return key.id === id ? key : null;
}

/** Bytes as lower-case hex digits. */
function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
