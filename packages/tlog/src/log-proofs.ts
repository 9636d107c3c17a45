import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { base64Of, bytesOfBase64, type NoteKey } from './note-keys.ts';
import { isDecimal, parseCheckpoint, type Checkpoint } from './checkpoints.ts';
import { verifyNote, type VerifiedSignature, type VerifyEd25519 } from './note-signatures.ts';
import { NoteError, parseNote } from './signed-notes.ts';
import { isIncluded } from './verify-proofs.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';
/** RFC 6962 limit; a tree of 2^53 leaves is 53 high. */
const MAX_PATH = 63;

/** Offline inclusion proof (C2SP tlog-proof). */
export type LogProof = {
  /** Counted from 0. */
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** Note with cosignatures. */
  readonly checkpoint: string;
  readonly extra: Uint8Array | null;
};

/** Writes the format of `.tlog-proof` files. */
export function formatLogProof({ index, path, checkpoint, extra }: LogProof): string {
  const lines = [HEADER, ...(extra ? [`extra ${base64Of(extra)}`] : []), `index ${index}`, ...path.map(base64Of)];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Parses without verifying. */
export function parseLogProof(text: string): LogProof {
  const split = text.indexOf('\n\n');
  if (split < 0) throw new NoteError('A proof has an empty line before its checkpoint.');
  const [header, ...lines] = text.slice(0, split).split('\n');
  if (header !== HEADER) throw new NoteError(`The first line of a proof is ${HEADER}.`);
  const extra = lines[0]?.startsWith('extra ') ? bytesOfBase64(lines.shift()!.slice('extra '.length)) : undefined;
  if (extra === null) throw new NoteError('What follows "extra" in a proof is base64.');
  const index = lines.shift()?.match(/^index (\d+)$/)?.[1];
  if (index === undefined || !isDecimal(index))
    throw new NoteError('A proof gives the place of its entry as "index" and a number.');
  return { index: Number(index), path: parsePath(lines), checkpoint: text.slice(split + 2), extra: extra ?? null };
}

/** Reads one base64 node per line. */
export function parsePath(lines: readonly string[]): Uint8Array[] {
  if (lines.length > MAX_PATH) throw new NoteError(`A proof has at most ${MAX_PATH} hashes.`);
  return lines.map((line) => {
    const node = bytesOfBase64(line);
    if (node?.length !== NODE_BYTES) throw new NoteError('Each line of a proof is a hash of 32 bytes in base64.');
    return node;
  });
}

export type ProvedEntry = { readonly checkpoint: Checkpoint; readonly signatures: readonly VerifiedSignature[] };

/** `keys`: the log's key and trusted witnesses. Requires the log's signature; callers decide about cosignatures. */
export async function verifyLogProof(
  proof: LogProof,
  entry: Uint8Array,
  log: { readonly origin: string; readonly key: NoteKey; readonly witnesses: readonly NoteKey[] },
  verify: VerifyEd25519,
): Promise<ProvedEntry> {
  const note = parseNote(proof.checkpoint);
  const signatures = await verifyNote(note, [log.key, ...log.witnesses], verify);
  if (!signatures.some(({ key }) => key === log.key)) throw new NoteError('The checkpoint is not signed by its log.');
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== log.origin)
    throw new NoteError(`The checkpoint is of ${checkpoint.origin}, not of ${log.origin}.`);
  const { index, path } = proof;
  if (!isIncluded({ leaf: entry, index, size: checkpoint.size, path }, checkpoint.root))
    throw new NoteError(`The entry is not the one at ${proof.index} of that tree.`);
  return { checkpoint, signatures };
}
