import { logNameOf, originOf, parseCheckpoint, type Checkpoint } from '@drawhouse/tlog/checkpoints';
import { noteKey, parseNoteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { formatNote, NoteError, parseNote } from '@drawhouse/tlog/signed-notes';

export type WitnessedLog = {
  /** Origin prefix before `/seals/<n>`. */
  readonly name: string;
  /** The log of the key. An earlier or later one is an alarm. */
  readonly nth: number;
  readonly publicKey: Uint8Array;
};

/** Its signature was verified. */
export type SignedCheckpoint = Checkpoint & {
  /** Number of the log, from 1. */
  readonly nth: number;
  readonly text: string;
  /** The note with only the log's signature. */
  readonly note: string;
};

export class NotOfTheLog extends Error {
  override readonly name = 'NotOfTheLog';
  /** `note`: malformed; `origin`: another log; `signature`: another key. */
  readonly why: 'note' | 'origin' | 'signature';

  constructor(why: NotOfTheLog['why'], message: string) {
    super(message);
    this.why = why;
  }
}

export function readWitnessedLog(vkey: string): WitnessedLog {
  const key = parseNoteKey(vkey.trim());
  const log = key && logNameOf(key.name);
  if (!key || !log || key.type !== SIGNATURE_TYPES.ed25519)
    throw new Error(
      '--key must be the line that https://…/seals/key answers, such as example.org/seals/1+1a2b3c4d+AZ….',
    );
  return { name: log.name, nth: log.nth, publicKey: key.publicKey };
}

/** Throws {@link NotOfTheLog}. */
export async function readSigned(log: WitnessedLog, body: Uint8Array | string): Promise<SignedCheckpoint> {
  const note = elseNoNote(() => parseNote(body));
  const checkpoint = elseNoNote(() => parseCheckpoint(note.text));
  const named = logNameOf(checkpoint.origin);
  if (named?.name !== log.name)
    throw new NotOfTheLog(
      'origin',
      `The checkpoint belongs to ${checkpoint.origin}, not to ${originOf(log.name, log.nth)}.`,
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
  throw new NotOfTheLog('signature', `The checkpoint of ${checkpoint.origin} is not signed by the key in --key.`);
}

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
