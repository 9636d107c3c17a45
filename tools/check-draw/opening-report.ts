import { kindLine, recordColumns } from '@drawhouse/rules/records/sealed-records';
import { parseCheckpoint, logNameOf } from '@drawhouse/tlog/checkpoints';
import { parseLogProof, verifyLogProof } from '@drawhouse/tlog/log-proofs';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { NoteError, parseNote } from '@drawhouse/tlog/signed-notes';
import type { DrawReport } from './draw-report.ts';
import { answerOf, jsonAddress, Uncheckable, type AnsweredDraw } from './read-draw.ts';

export interface ShownOpening {
  /** Proof with the record as extra; undefined if missing. */
  readonly proof: string | undefined;
  readonly key: string;
}

const NOT_FOUND = 404;
/** The address is that of one cell, and another may have the proof. */
const WRONG_CELL = 421;

/** In a group, the cell where the draw opened has the proof, even if the draw has moved since. */
export async function readOpening(address: string, drawId: string): Promise<ShownOpening> {
  const { status, body, cell } = await answerOf(
    new URL(`opening?draw=${encodeURIComponent(drawId)}`, sealsAt(address)),
  );
  if (status === NOT_FOUND || status === WRONG_CELL) return { proof: undefined, key: '' };
  if (status !== 200) throw new Uncheckable(`The seals answered ${status} for the opening of the draw.`);
  return { proof: body, key: await readKey(address, body, cell) };
}

export async function readKey(address: string, proof: string, cell: string | undefined): Promise<string> {
  return (await answerOf(new URL(`${logOf(proof)}/key`, sealsAt(address)), cell)).body;
}

const sealsAt = (address: string): string => jsonAddress(address).href.replace(/\/api\/fair\/draw\/[^/]+$/, '/seals/');

function logOf(proof: string): number {
  const { origin } = attempt(() => parseCheckpoint(parseNote(parseLogProof(proof).checkpoint).text));
  const log = logNameOf(origin);
  if (!log) throw new Uncheckable(`The proof belongs to no log of seals: ${origin}`);
  return log.nth;
}

/** Needed because the published draw alone cannot reveal an exchanged seed: its commitment changes too. */
export async function reportOnOpening({ proof, key: line }: ShownOpening, draw: AnsweredDraw): Promise<DrawReport> {
  if (proof === undefined)
    return {
      lines: ['There is no proof of its opening, so an exchange of its seed is not ruled out.'],
      problems: [],
      code: 0,
    };
  const key = parseNoteKey(line.trim());
  if (!key) throw new Uncheckable(`The key of the seals is not valid: ${line.trim()}`);
  const parsed = attempt(() => parseLogProof(proof));
  const entry = parsed.extra ?? new Uint8Array();
  const wrong = (problem: string): DrawReport => ({ lines: [], problems: [problem], code: 1 });
  try {
    await verifyLogProof(parsed, entry, { origin: key.name, key, witnesses: [] }, verifyOnNode);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return wrong(`The proof of its opening is not valid: ${error.message}`);
  }
  const opened = openingIn(Buffer.from(entry).toString());
  if (opened?.drawId !== draw.drawId || opened.status !== 'open')
    return wrong('The proof of its opening belongs to another record.');
  if (opened.commitment !== draw.commitment.toLowerCase())
    return wrong(
      `The seed was exchanged: the draw opened with the commitment ${opened.commitment} (record ` +
        `${parsed.index} of ${key.name}), but was published with ${draw.commitment}.`,
    );
  return {
    lines: [
      `OK: the draw opened with this commitment (record ${parsed.index} of ${key.name}, signed by ${line.trim()}).`,
    ],
    problems: [],
    code: 0,
  };
}

interface SealedOpening {
  readonly drawId: string;
  readonly commitment: string;
  readonly status: string;
}

/** Reads a kind line, then the row in COPY format. */
function openingIn(entry: string): SealedOpening | undefined {
  const [kind, row = ''] = entry.split('\n');
  if (kind !== kindLine('draws')) return undefined;
  const [columns, fields] = [recordColumns('draws'), row.split('\t')];
  const field = (name: string): string => fields[columns.indexOf(name)] ?? '';
  return { drawId: field('id'), commitment: field('commitment').replace('\\\\x', ''), status: field('status') };
}

function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoteError) throw new Uncheckable(`The proof of the seals cannot be read: ${error.message}`);
    throw error;
  }
}
