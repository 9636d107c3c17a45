import { hash } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { base64Of, formatNoteKey } from '@drawhouse/tlog/note-keys';
import { OWN_FILE, syncFolder } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import { keyOf, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

/** Larger files are not extended. */
const MOST_BYTES = 64 * 1024 * 1024;
const FILE = 'evidence.jsonl';

/**
 * Kinds of evidence:
 * - `fork`: two roots for one size, or the server's own answers prove inconsistency.
 * - `rollback`: fewer records, or an older log.
 * - `new-log`: servers never start one on their own. Recorded once per log.
 */
export type EvidenceKind = 'fork' | 'rollback' | 'new-log';

export type WitnessEvidence = {
  readonly kind: EvidenceKind;
  /** ISO 8601. */
  readonly found: string;
  readonly message: string;
  readonly key: string;
  /** The witness's own note. */
  readonly stored: string;
  /** The conflicting note. */
  readonly shown: string;
  /** The server's failing proof in base64, or null. */
  readonly proof: readonly string[] | null;
};

type Found = Pick<WitnessEvidence, 'kind' | 'message'> & {
  readonly stored: SignedCheckpoint;
  readonly shown: SignedCheckpoint;
  readonly path?: readonly Uint8Array[] | null;
};

export type EvidenceOptions = {
  readonly log: WitnessedLog;
  readonly report: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
};

/** Writes JSON Lines. */
export class EvidenceBook {
  readonly #file: string;
  readonly #dir: string;
  readonly #known: Set<string>;
  #alarms: number;
  readonly #with: EvidenceOptions;

  private constructor(dir: string, records: readonly WitnessEvidence[], options: EvidenceOptions) {
    this.#dir = dir;
    this.#with = options;
    this.#file = join(dir, FILE);
    this.#known = new Set(records.map(keyOfEvidence));
    this.#alarms = records.length;
  }

  /** `report` names evidence dropped because the file is full. */
  static async open(dir: string, options: EvidenceOptions): Promise<EvidenceBook> {
    return new EvidenceBook(dir, await readEvidence(dir), options);
  }

  get file(): string {
    return this.#file;
  }

  get alarms(): number {
    return this.#alarms;
  }

  /** Reports it unless it is known. Resolves once on disk. */
  async note({ kind, message, stored, shown, path = null }: Found): Promise<void> {
    const { log, report, now } = this.#with;
    const key = formatNoteKey(keyOf(log, shown.origin));
    const proof = path && path.map(base64Of);
    const notes = { stored: stored.note, shown: shown.note };
    const evidence = { kind, found: new Date(now()).toISOString(), message, key, ...notes, proof };
    if (!(await this.#add(evidence))) return;
    report(`${message} It is not co-signed. Both signed notes are in ${this.#file}.`);
  }

  /** False for duplicates. */
  async #add(evidence: WitnessEvidence): Promise<boolean> {
    const key = keyOfEvidence(evidence);
    if (this.#known.has(key)) return false;
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    const isFull = size >= MOST_BYTES;
    const line = JSON.stringify(evidence);
    if (isFull) this.#with.report(`${this.#file} is full: move it elsewhere and keep it. Not recorded: ${line}`);
    else {
      const before = size > 0 && (await endsWithinLine(this.#file)) ? '\n' : '';
      await appendFile(this.#file, `${before}${line}\n`, { mode: OWN_FILE, flush: true });
      await syncFolder(this.#dir);
    }
    this.#known.add(key);
    this.#alarms++;
    return !isFull;
  }
}

/** Skips a line truncated by a kill. */
export async function readEvidence(dir: string): Promise<readonly WitnessEvidence[]> {
  const text = await readFile(join(dir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as WitnessEvidence];
    } catch {
      return [];
    }
  });
}

function keyOfEvidence({ kind, stored, shown }: WitnessEvidence): string {
  const about = kind === 'new-log' ? [originIn(stored), originIn(shown)] : [stored, shown];
  return hash('sha256', JSON.stringify([kind, ...about]));
}

function originIn(note: string): string {
  return note.slice(0, note.indexOf('\n'));
}

async function endsWithinLine(file: string): Promise<boolean> {
  return !(await readFile(file, 'utf8')).endsWith('\n');
}
