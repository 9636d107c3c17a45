import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifyNote } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { isSignedState } from '@drawhouse/tlog/signed-states';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import type { KeptState } from './seal-state.ts';

/** Throws a sentence where the key of a log has not signed the state in its folder. */
export async function requireSigned(folder: string, state: KeptState, key: NoteKey): Promise<void> {
  if (await isSignedState(state, state.signature, key, verifyOnNode)) return;
  throw new Error(
    `How far the log in ${folder} has come was changed in state.json: the key of ${key.name} has not signed it. Put back the file that was there; or the key and the name of the seals are not those that they began with.`,
  );
}

/** The checkpoint of a log that its key has signed; undefined where a text is none. */
export async function checkpointOf(text: string | undefined, key: NoteKey): Promise<Checkpoint | undefined> {
  if (text === undefined) return undefined;
  return verifyCheckpoint(text, key).catch((error: unknown) => {
    if (error instanceof NoteError) return undefined;
    throw error;
  });
}

/** The checkpoint of a note. Throws NoteError if the key of the log has not signed it, or it is of another log. */
export async function verifyCheckpoint(note: Uint8Array | string, key: NoteKey): Promise<Checkpoint> {
  const parsed = parseNote(note);
  await verifyNote(parsed, [key], verifyOnNode);
  const checkpoint = parseCheckpoint(parsed.text);
  if (checkpoint.origin !== key.name) throw new NoteError(`It is of ${checkpoint.origin}.`);
  return checkpoint;
}
