import { logNameOf, originOf } from '@drawhouse/tlog/log-origins';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import type { Checkpoint } from '@drawhouse/tlog/checkpoints';
import { noteKey, parseNoteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import { formatNote, NoteError, parseNote } from '@drawhouse/tlog/signed-notes';

/** A server's logs as a witness knows them: one after the other, each with its number, signed by one key. */
export type WitnessedLog = {
  /** What stands before `/seals/<n>` in their origins. */
  readonly name: string;
  /** 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
};

/** A checkpoint of one of the logs, whose signature was verified. */
export type SignedCheckpoint = Checkpoint & {
  /** Which of the logs, from 1. */
  readonly nth: number;
  /** What is signed. */
  readonly text: string;
  /** The note with the log's own signature alone. */
  readonly note: string;
};

/** Why a note is not taken for a checkpoint of the log. */
export class NotOfTheLog extends Error {
  override readonly name = 'NotOfTheLog';
  /** `note`: it is no checkpoint; `origin`: of another log; `signature`: not signed by the key. */
  readonly why: 'note' | 'origin' | 'signature';

  constructor(why: NotOfTheLog['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** The log of the verifier key that `/seals/key` tells. Throws a sentence where it is none. */
export function readWitnessedLog(vkey: string): WitnessedLog {
  const key = parseNoteKey(vkey.trim());
  const name = key && logNameOf(key.name)?.name;
  if (!key || name == null || key.type !== SIGNATURE_TYPES.ed25519)
    throw new Error('--key is the line that https://…/seals/key answers, such as example.org/seals/1+1a2b3c4d+AZ….');
  return { name, publicKey: key.publicKey };
}

/** Reads a note as a checkpoint of these logs, and verifies its signature. Throws {@link NotOfTheLog}. */
export async function readSigned(log: WitnessedLog, body: Uint8Array | string): Promise<SignedCheckpoint> {
  const note = elseNoNote(() => parseNote(body));
  const checkpoint = elseNoNote(() => parseCheckpoint(note.text));
  const named = logNameOf(checkpoint.origin);
  if (named?.name !== log.name)
    throw new NotOfTheLog(
      'origin',
      `The checkpoint is of ${checkpoint.origin}, not of ${originOf(log.name, 1)} or a later one.`,
    );
  const key = keyOf(log, checkpoint.origin);
  for (const signature of note.signatures)
    if (await verifySignature(note.text, signature, key, verifyOnNode))
      return {
        ...checkpoint,
        nth: named.nth,
        text: note.text,
        note: formatNote({ text: note.text, signatures: [signature] }),
      };
  throw new NotOfTheLog(
    'signature',
    `The checkpoint of ${checkpoint.origin} is not signed by the key that this witness was given.`,
  );
}

/** The key of a log, by its origin. */
export function keyOf({ publicKey }: WitnessedLog, origin: string): NoteKey {
  return noteKey(origin, SIGNATURE_TYPES.ed25519, publicKey);
}

function elseNoNote<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoteError) throw new NotOfTheLog('note', error.message);
    throw error;
  }
}
