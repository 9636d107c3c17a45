import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { readTile } from '../seal/seal-files.ts';
import { CosignatureRefused, readCosigned, coSign, type LogFiles } from './co-sign.ts';
import type { Witness } from '../../config/seal-settings.ts';
import { SEAL_TEXTS } from '../transparency-texts.ts';

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
  return { status: answer.status, body: await boundedText(answer) };
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
