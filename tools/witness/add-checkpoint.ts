import { isDecimal } from '@drawhouse/tlog/checkpoints';
import { parsePath } from '@drawhouse/tlog/log-proofs';
import { NoteError } from '@drawhouse/tlog/signed-notes';
import type { WitnessBook } from './witness-book.ts';
import type { Observation } from './log-watcher.ts';
import type { EvidenceBook } from './witness-evidence.ts';
import { NotOfTheLog, readSigned, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

const TEXT = 'text/plain; charset=utf-8';
/** C2SP tlog-witness: this answer carries the last cosigned size. */
const SIZE = 'text/x.tlog.size';
const STATUS = { note: 400, origin: 404, signature: 403 } as const;

export type WitnessAnswer = { readonly status: number; readonly type: string; readonly body: string };

export type AddOptions = {
  readonly log: WitnessedLog;
  readonly book: WitnessBook;
  readonly evidence: EvidenceBook;
  /** Asks the server for a proof: anyone can send a signed checkpoint with a wrong one. */
  readonly prove: (shown: SignedCheckpoint) => Promise<Observation>;
};

/** Implements C2SP tlog-witness. Returns the cosignature only after it is on disk. */
export async function addCheckpoint(body: Uint8Array, options: AddOptions): Promise<WitnessAnswer> {
  try {
    const { from, path, note } = parseAdd(body);
    const checkpoint = await readSigned(options.log, note);
    if (from > checkpoint.size) return refused(400, 'The old size is larger than the checkpoint.');
    const judged = await options.book.judge(checkpoint, from, path);
    if (judged.is === 'other-log') return refused(STATUS.origin, judged.message);
    if (judged.is === 'cosigned') return { status: 200, type: TEXT, body: judged.line };
    if (judged.is === 'elsewhere') return { status: 409, type: SIZE, body: `${judged.size}\n` };
    if (judged.is === 'unproved') {
      // A fork if the server's own answers contradict the checkpoint.
      if (judged.stored) await options.prove(checkpoint);
      return refused(422, 'The proof does not lead from the old tree to the tree of the checkpoint.');
    }
    if (judged.stored) {
      const message =
        `FORK: ${checkpoint.origin} with ${checkpoint.size} records was shown with another root ` +
        'than before for the same size.';
      await options.evidence.note({ kind: 'fork', message, stored: judged.stored, shown: checkpoint });
    }
    return { status: 409, type: SIZE, body: `${checkpoint.size}\n` };
  } catch (error) {
    if (error instanceof NotOfTheLog) return refused(STATUS[error.why], error.message);
    if (error instanceof NoteError) return refused(400, error.message);
    throw error;
  }
}

function refused(status: number, sentence: string): WitnessAnswer {
  return { status, type: TEXT, body: `${sentence}\n` };
}

function parseAdd(body: Uint8Array): { from: number; path: Uint8Array[]; note: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new NoteError('The body is not UTF-8.');
  }
  const split = text.indexOf('\n\n');
  const [first, ...lines] = split < 0 ? [] : text.slice(0, split).split('\n');
  const size = /^old (\d+)$/.exec(first ?? '')?.[1];
  if (size === undefined || !isDecimal(size))
    throw new NoteError(
      'The body must be a line "old" with a size, the lines of a proof, an empty line and a checkpoint.',
    );
  return { from: Number(size), path: parsePath(lines), note: text.slice(split + 2) };
}
