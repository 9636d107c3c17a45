import { parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { nodeHashes } from '@drawhouse/tlog/on-node-hashes';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import { readConsistency } from '@drawhouse/tlog/tree-reader';
import { readTile } from './seal-files.ts';
import { readCosigned, takeCosigned } from './witnesses.ts';
import type { Witness } from '../seal-settings.ts';
import type { LogFiles } from './witnesses.ts';

/** A witness that says nothing for so long is asked again with the next checkpoint. */
const ANSWER_MS = 5_000;
const CONFLICT = 409;
const MOST_ANSWER_BYTES = 10_000;

/**
 * Gives each new checkpoint to the witnesses with an address, by C2SP's `add-checkpoint`, and keeps what they cosign. One at a time for each: what comes meanwhile
 * is passed over, as the next one says all that it did. A witness that is away or refuses is no reason to stop sealing; that nobody cosigns is seen by the grade.
 */
export function askWitnesses(
  witnesses: readonly Witness[],
  signal: AbortSignal,
): (log: LogFiles, note: string) => void {
  const asking = new Set<Witness>();
  return (log, note) => {
    for (const witness of witnesses) {
      if (witness.url === undefined || asking.has(witness)) continue;
      asking.add(witness);
      void askOne(log, note, witness, signal)
        .catch(() => {})
        .finally(() => asking.delete(witness));
    }
  };
}

async function askOne(log: LogFiles, note: string, witness: Witness, signal: AbortSignal): Promise<void> {
  const [before] = await readCosigned(log.folder, [witness]);
  const first = await send(log, note, { witness, from: before?.size ?? 0, signal });
  const known = first.status === CONFLICT ? Number(first.body.trim()) : undefined;
  // It has seen another tree than it is known to have: of what it says it has.
  const isSize = known !== undefined && Number.isSafeInteger(known) && known >= 0 && known <= log.size;
  const { status, body } = isSize ? await send(log, note, { witness, from: known, signal }) : first;
  if (status !== 200) return;
  const { text } = parseNote(note);
  await takeCosigned(log, [witness], `${text}\n${body}`);
}

async function send(
  log: LogFiles,
  note: string,
  { witness, from, signal }: { witness: Witness; from: number; signal: AbortSignal },
): Promise<{ status: number; body: string }> {
  const { size } = parseCheckpoint(parseNote(note).text);
  const proof = await readConsistency(
    { size, readTile: readTile.bind(null, log.folder), hashes: nodeHashes },
    from,
    size,
  );
  const lines = [`old ${from}`, ...proof.map((node) => Buffer.from(node).toString('base64')), '', note];
  const answer = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    body: lines.join('\n'),
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  const body = await answer.text();
  return { status: answer.status, body: body.length > MOST_ANSWER_BYTES ? '' : body };
}
