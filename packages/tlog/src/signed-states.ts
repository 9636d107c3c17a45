import type { NoteKey } from './note-keys.ts';
import { signText, verifySignature } from './note-signatures.ts';
import type { Ed25519Signer, VerifyEd25519 } from './note-signatures.ts';
import { formatSignatureLine, NoteError, parseSignatureLine } from './signed-notes.ts';

/** How far a log has come, as it is kept beside its tiles. */
export type LogState = {
  /** So many records. */
  readonly size: number;
  /** The root of the tree of that size, in hex. */
  readonly root: string;
  /** What of the database was sealed. */
  readonly snapshot: string;
  /** The state before it. */
  readonly previous: Omit<LogState, 'previous'> | null;
};

/** The signature of a state of the log of this origin, as the line of a note's signature without its end: its key's id tells which kind of signature it is. */
export function signState(origin: string, state: LogState, signer: Ed25519Signer): string {
  return formatSignatureLine(signText(textOf(origin, state), origin, signer)).trimEnd();
}

/** Whether a line is the signature of a state by the key of a log, whose name is its origin. */
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

/** What is signed. It can't be taken for a checkpoint, whose second line is a number. */
function textOf(origin: string, { previous, ...state }: LogState): string {
  const parts = [state, ...(previous ? [previous] : [])].map(({ size, root, snapshot }) => [size, root, snapshot]);
  return `${origin}\nstate 1\n${JSON.stringify(parts)}\n`;
}
