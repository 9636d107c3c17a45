import type { NoteKey } from './note-keys.ts';
import { signText, verifySignature, type Ed25519Signer, type VerifyEd25519 } from './note-signatures.ts';
import { formatSignatureLine, NoteError, parseSignatureLine } from './signed-notes.ts';

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
