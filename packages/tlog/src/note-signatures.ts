import { noteKey, SIGNATURE_TYPES, type NoteKey } from './note-keys.ts';
import {
  NoteError,
  type NoteSignature,
  type SignedNote,
  formatSignatureLine,
  parseSignatureLine,
} from './signed-notes.ts';

const SIGNATURE_BYTES = 64;
const TIME_BYTES = 8;

export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

export type Ed25519Signer = {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Returns 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
};

/** Makes a plain signature (C2SP signed-note, type 0x01). */
export function signText(text: string, name: string, signer: Ed25519Signer): NoteSignature {
  const key = noteKey(name, SIGNATURE_TYPES.ed25519, signer.publicKey);
  return { name, keyId: key.id, signature: signer.sign(utf8(text)) };
}

/**
 * Makes a C2SP cosignature/v1, type 0x04: states that at `time` (Unix seconds) this was the largest consistent tree
 * seen.
 */
export function cosignText(text: string, name: string, signer: Ed25519Signer, time: number): NoteSignature {
  const key = noteKey(name, SIGNATURE_TYPES.cosignature, signer.publicKey);
  if (!Number.isSafeInteger(time) || time < 0)
    throw new RangeError(`A cosignature's time is in whole seconds, not ${time}.`);
  const signature = new Uint8Array(TIME_BYTES + SIGNATURE_BYTES);
  new DataView(signature.buffer).setBigUint64(0, BigInt(time));
  signature.set(signer.sign(cosigned(text, BigInt(time))), TIME_BYTES);
  return { name, keyId: key.id, signature };
}

export type VerifiedSignature = {
  readonly key: NoteKey;
  readonly signature: NoteSignature;
  readonly time: number | null;
};

/**
 * Returns the first per known key, in note order. Throws NoteError if a known key's signature is invalid (required by
 * C2SP), or none is present.
 */
export async function verifyNote(
  note: SignedNote,
  keys: readonly NoteKey[],
  verify: VerifyEd25519,
): Promise<readonly VerifiedSignature[]> {
  const verified = new Map<NoteKey, VerifiedSignature>();
  for (const signature of note.signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.keyId);
    if (!key || verified.has(key)) continue;
    const found = await verifySignature(note.text, signature, key, verify);
    if (!found) throw new NoteError(`The signature of ${key.name} (${key.id}) is not valid.`);
    verified.set(key, found);
  }
  if (verified.size === 0)
    throw new NoteError(`The note has no signature of ${keys.map(({ name, id }) => `${name} (${id})`).join(' or ')}.`);
  return [...verified.values()];
}

/** Null for another key or an invalid signature. */
export async function verifySignature(
  text: string,
  signature: NoteSignature,
  key: NoteKey,
  verify: VerifyEd25519,
): Promise<VerifiedSignature | null> {
  if (key.name !== signature.name || key.id !== signature.keyId) return null;
  const bytes = signature.signature;
  if (key.type === SIGNATURE_TYPES.ed25519) {
    const isValid = bytes.length === SIGNATURE_BYTES && (await verify(key.publicKey, utf8(text), bytes));
    return isValid ? { key, signature, time: null } : null;
  }
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const isValid = await verify(key.publicKey, cosigned(text, time), bytes.slice(TIME_BYTES));
  return isValid ? { key, signature, time: Number(time) } : null;
}

function cosigned(text: string, time: bigint): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${text}`);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Stored beside its tiles. */
export type LogState = {
  readonly size: number;
  /** Hex. */
  readonly root: string;
  /** Sealed database snapshot. */
  readonly snapshot: string;
  readonly previous: Omit<LogState, 'previous'> | null;
};

/** Returns a line without newline. The key id implies the signature type. */
export function signState(origin: string, state: LogState, signer: Ed25519Signer): string {
  return formatSignatureLine(signText(textOf(origin, state), origin, signer)).trimEnd();
}

/** The key's name is the log's origin. */
export async function isSignedState(
  state: LogState,
  line: string,
  key: NoteKey,
  verify: VerifyEd25519,
): Promise<boolean> {
  try {
    return (await verifySignature(textOf(key.name, state), parseSignatureLine(line), key, verify)) !== null;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}

/** Distinct from checkpoints, whose second line is a number. */
function textOf(origin: string, { previous, ...state }: LogState): string {
  const parts = [state, ...(previous ? [previous] : [])].map(({ size, root, snapshot }) => [size, root, snapshot]);
  return `${origin}\nstate 1\n${JSON.stringify(parts)}\n`;
}
