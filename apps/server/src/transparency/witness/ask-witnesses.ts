import { join } from 'node:path';
import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { NoteError, parseNote, parseSignatureLine } from '@drawhouse/tlog/signed-notes';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { sameBytes } from '@drawhouse/tlog/verify-proofs';
import { namesIn, readIfThere, readTile } from '../seal/seal-files.ts';
import { coSign, CosignatureRefused, type LogFiles, readCosigned } from './co-sign.ts';
import { readUpTo } from '../../platform/http/request/read-up-to.ts';
import type { Witness } from '../../config/outside-services.ts';
import { SEAL_TEXTS } from '../transparency-texts.ts';
import type { LogToRead } from '../read/read-bundle.ts';
import type { SealedTree } from '../read/read-sealed-log.ts';

/** A silent witness is retried with the next checkpoint. */
const ANSWER_MS = 5_000;
const CONFLICT = 409;
const MOST_ANSWER_BYTES = 10_000;

/**
 * C2SP `add-checkpoint`. One request per witness; meanwhile only the newest checkpoint waits, because a cosignature
 * proves when betting closed. Failures never stop sealing; `told` receives a witness's problem, or undefined on
 * recovery.
 */
export function askWitnesses(
  witnesses: readonly Witness[],
  signal: AbortSignal,
  report: (witness: string, trouble: string | undefined) => void,
): (log: LogFiles, note: string) => void {
  const asking = new Map<Witness, { readonly note: string; next?: [LogFiles, string] }>();
  const troubles = new Map<Witness, string>();
  const become = (witness: Witness, trouble: string | undefined): void => {
    if (troubles.get(witness) === trouble || signal.aborted) return;
    if (trouble === undefined) troubles.delete(witness);
    else troubles.set(witness, trouble);
    report(witness.key.name, trouble);
  };
  const ask = (witness: Witness, log: LogFiles, note: string): void => {
    const current = asking.get(witness);
    if (current) {
      if (note !== current.note) current.next = [log, note];
      return;
    }
    asking.set(witness, { note });
    void askOne(log, note, witness, signal)
      .catch((error: Error) => SEAL_TEXTS.noAnswer(reasonOf(error)))
      .then((trouble) => become(witness, trouble))
      .finally(() => {
        const { next } = asking.get(witness)!;
        asking.delete(witness);
        if (next && !signal.aborted) ask(witness, ...next);
      });
  };
  return (log, note) => {
    for (const witness of witnesses) if (witness.url !== undefined) ask(witness, log, note);
  };
}

/** fetch puts the reason into `cause`. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

async function askOne(log: LogFiles, note: string, witness: Witness, signal: AbortSignal): Promise<string | undefined> {
  const [before] = await readCosigned(log.folder, [witness]);
  const first = await send(log, note, { witness, from: before?.size ?? 0, signal });
  const size = first.status === CONFLICT ? Number(first.body.trim()) : undefined;
  // On a conflict, retries from the size that the witness reports.
  const isSize = size !== undefined && Number.isSafeInteger(size) && size >= 0 && size <= log.size;
  const { status, body } = isSize ? await send(log, note, { witness, from: size, signal }) : first;
  if (status !== 200) return SEAL_TEXTS.answered(status, firstLineOf(body));
  try {
    await coSign(log, [witness], `${note}${body}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof CosignatureRefused)) throw error;
    return SEAL_TEXTS.invalidSignature(error.message);
  }
}

/** Only plain characters: the response is untrusted. */
function firstLineOf(body: string): string {
  return body
    .split('\n', 1)[0]!
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, 200);
}

async function send(
  log: LogFiles,
  note: string,
  { witness, from, signal }: { witness: Witness; from: number; signal: AbortSignal },
): Promise<{ status: number; body: string }> {
  const { size } = parseCheckpoint(parseNote(note).text);
  const proof = await readConsistency({ size, readTile: readTile.bind(null, log.folder) }, from, size);
  const lines = [`old ${from}`, ...proof.map((node) => Buffer.from(node).toString('base64')), '', note];
  const answer = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    body: lines.join('\n'),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  const body = await readUpTo(MOST_ANSWER_BYTES, answer.body);
  return { status: answer.status, body: body?.toString() ?? '' };
}

interface WitnessedTree {
  readonly name: string;
  readonly size: number;
  /** Unix seconds, as signed. */
  readonly since: number;
}

export async function readWitnessed(
  log: LogToRead,
  tree: SealedTree,
  witnesses: readonly NoteKey[],
  problem: (text: string) => void,
): Promise<WitnessedTree[]> {
  const folder = join(log.folder, 'witnesses');
  const keys = new Map(witnesses.map((key) => [`${key.id}.json`, key]));
  const found: WitnessedTree[] = [];
  const names = await namesIn(folder).catch(log.ifUnreadable<string[]>([], folder));
  for (const [file, key] of keys)
    if (!names.includes(file))
      problem(`${key.name} is listed in SEAL_WITNESSES, but has co-signed nothing of the log ${log.origin}`);
  for (const name of names) {
    const key = keys.get(name);
    if (!key) continue;
    const path = join(folder, name);
    const bytes = await readIfThere(path).catch(log.ifUnreadable(undefined, path));
    try {
      const { first, last } = await readOne(bytes?.toString() ?? '', key);
      const isSealed = ({ text }: Cosignature, what: string): boolean => {
        const { origin, size, root } = parseCheckpoint(text);
        if (origin !== log.origin) throw new NoteError(`${what} belongs to ${origin}`);
        if (size > log.size)
          problem(`${key.name} has witnessed ${size} records of ${log.origin}, but there are only ${log.size}`);
        else if (!sameBytes(tree.rootAt(size), root))
          problem(`${key.name} has witnessed different records among the first ${size} of ${log.origin}`);
        else return true;
        return false;
      };
      if (isSealed(last, 'it') && (first === last || isSealed(first, 'its first one')))
        found.push({ name: key.name, size: parseCheckpoint(last.text).size, since: Math.min(first.time, last.time) });
    } catch (error) {
      if (!(error instanceof NoteError || error instanceof SyntaxError)) throw error;
      problem(`${name} of ${folder} is not a valid co-signature of ${key.name}: ${error.message}`);
    }
  }
  return found;
}

type Cosignature = { readonly text: string; readonly time: number };

/** If only one is stored, it is both first and last. */
async function readOne(text: string, key: NoteKey): Promise<{ first: Cosignature; last: Cosignature }> {
  const stored = JSON.parse(text) as Record<string, unknown> | null;
  const last = await verified(stored, 'it', key);
  const first = stored?.['first'];
  return { last, first: first === undefined ? last : await verified(first, 'its first one', key) };
}

async function verified(stored: unknown, what: string, key: NoteKey): Promise<Cosignature> {
  const { text, line } = (stored ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string' || typeof line !== 'string')
    throw new NoteError(`${what} has no checkpoint with a signature`);
  const signed = await verifySignature(text, parseSignatureLine(line.trimEnd()), key, verifyOnNode);
  if (signed?.time == null) throw new NoteError(`the signature of ${what} is not valid`);
  return { text, time: signed.time };
}
