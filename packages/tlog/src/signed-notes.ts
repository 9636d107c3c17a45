import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of, bytesOfBase64, isKeyName } from './note-keys.ts';

/** Checkpoints take hundreds of bytes, thousands with 16 witnesses. */
const MAX_NOTE_BYTES = 100_000;
/** C2SP requires at least 16. */
const MAX_SIGNATURES = 100;
const KEY_ID_BYTES = 4;
const SIGNATURE_LINE = /^— (\S+) (\S+)$/;

export type NoteSignature = {
  /** Claimed signer. */
  readonly name: string;
  /** 8 hex digits. */
  readonly keyId: string;
  /** Bytes after the key id; 64 for plain Ed25519. */
  readonly signature: Uint8Array;
};

export type SignedNote = {
  /** Includes the final newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
};

export class NoteError extends Error {
  override readonly name = 'NoteError';
}

export function parseNote(note: Uint8Array | string): SignedNote {
  const whole = typeof note === 'string' ? note : utf8Of(note);
  if (whole.length > MAX_NOTE_BYTES) throw new NoteError(`A note has at most ${MAX_NOTE_BYTES} bytes.`);
  // Only newlines are allowed among control characters.
  // oxlint-disable-next-line no-control-regex
  if (!whole.isWellFormed() || /[\u0000-\u0009\u000b-\u001f]/.test(whole))
    throw new NoteError('A note is UTF-8 without control characters except line ends.');
  const split = whole.lastIndexOf('\n\n');
  if (split < 0) throw new NoteError('A note has an empty line between its text and its signatures.');
  const below = whole.slice(split + 2);
  if (!below.endsWith('\n'))
    throw new NoteError('A note has at least one signature, and its last line ends with a newline.');
  const lines = below.slice(0, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new NoteError(`A note has at most ${MAX_SIGNATURES} signatures.`);
  return { text: whole.slice(0, split + 1), signatures: lines.map(parseSignatureLine) };
}

/** Takes a line without newline. */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = encoded === undefined ? null : bytesOfBase64(encoded);
  if (name === undefined || !isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES)
    throw new NoteError('A signature line is "— name base64", the base64 of a key’s id of four bytes and a signature.');
  return { name, keyId: bytesToHex(bytes.subarray(0, KEY_ID_BYTES)), signature: bytes.slice(KEY_ID_BYTES) };
}

export function formatSignatureLine({ name, keyId, signature }: NoteSignature): string {
  const id = keyId.match(/../g)!.map((digits) => Number.parseInt(digits, 16));
  return `— ${name} ${base64Of(Uint8Array.of(...id, ...signature))}\n`;
}

/** Inverts `parseNote`. */
export function formatNote({ text, signatures }: SignedNote): string {
  if (!text.endsWith('\n')) throw new NoteError('The text of a note ends with a newline.');
  const note = `${text}\n${signatures.map(formatSignatureLine).join('')}`;
  parseNote(note);
  return note;
}

function utf8Of(bytes: Uint8Array): string {
  if (bytes.length > MAX_NOTE_BYTES) throw new NoteError(`A note has at most ${MAX_NOTE_BYTES} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoteError('A note is UTF-8; these bytes are not.');
  }
}
