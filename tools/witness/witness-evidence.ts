import { hash } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { base64Of, formatNoteKey } from '@drawhouse/tlog/note-keys';
import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { OWN_FILE, syncFolder } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import { keyOf, type SignedCheckpoint, type WitnessedLog } from './witnessed-log.ts';

/** Larger files are not extended. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_UNPROVED = 100;
const FILE = 'evidence.jsonl';

/**
 * Kinds of evidence:
 * - `fork`: two roots for one size, or the server's own answers prove inconsistency.
 * - `rollback`: fewer records, or an older log.
 * - `unproved`: a larger tree without proof, from `add-checkpoint`. Anyone can cause it while the server is down, so
 *   it raises no alarm and at most {@link MOST_UNPROVED} are stored.
 * - `new-log`: servers never start one on their own. Reported at each start until an `accepted` line with the same
 *   notes follows.
 */
export type EvidenceKind = 'fork' | 'rollback' | 'unproved' | 'new-log' | 'accepted';

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
  readonly #newLogs: WitnessEvidence[];
  #alarms: number;
  #unproved: number;
  readonly #inTurn = createSemaphore(1).run;
  readonly #with: EvidenceOptions;

  private constructor(dir: string, records: readonly WitnessEvidence[], options: EvidenceOptions) {
    this.#dir = dir;
    this.#with = options;
    this.#file = join(dir, FILE);
    this.#known = new Set(records.map(keyOfEvidence));
    this.#newLogs = records.filter(({ kind }) => kind === 'new-log');
    this.#alarms = records.filter(isAlarm).length;
    this.#unproved = records.filter(({ kind }) => kind === 'unproved').length;
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

  get unsettled(): readonly WitnessEvidence[] {
    return this.#newLogs.filter((one) => !this.#known.has(keyOfEvidence({ ...one, kind: 'accepted' })));
  }

  isAccepted(origin: string): boolean {
    const isOf = ({ shown }: WitnessEvidence): boolean => originIn(shown) === origin;
    return this.#newLogs.some(isOf) && !this.unsettled.some(isOf);
  }

  /** False if no such log was noticed. */
  async accept(origin: string): Promise<boolean> {
    const found = this.#time();
    const noticed = this.#newLogs.filter(({ shown }) => originIn(shown) === origin);
    for (const one of noticed) await this.#add({ ...one, kind: 'accepted', found, message: `${origin} was accepted.` });
    return noticed.length > 0;
  }

  /** Reports it unless it is known. Resolves once on disk. */
  async note({ kind, message, stored, shown, path = null }: Found): Promise<void> {
    const { log, report } = this.#with;
    const key = formatNoteKey(keyOf(log, shown.origin));
    const proof = path && path.map(base64Of);
    const notes = { stored: stored.note, shown: shown.note };
    const evidence = { kind, found: this.#time(), message, key, ...notes, proof };
    if (!(await this.#inTurn(() => this.#add(evidence)))) return;
    const said = kind === 'new-log' ? `ALARM: ${message}` : `${message} It is not co-signed.`;
    report(`${said} Both signed notes are in ${this.#file}.`);
  }

  #time(): string {
    return new Date(this.#with.now()).toISOString();
  }

  /** False for duplicates. */
  async #add(evidence: WitnessEvidence): Promise<boolean> {
    const key = keyOfEvidence(evidence);
    if (this.#known.has(key) || (evidence.kind === 'unproved' && this.#unproved >= MOST_UNPROVED)) return false;
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
    if (evidence.kind === 'new-log') this.#newLogs.push(evidence);
    if (evidence.kind === 'unproved') this.#unproved++;
    if (isAlarm(evidence)) this.#alarms++;
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

function isAlarm({ kind }: WitnessEvidence): boolean {
  return kind !== 'new-log' && kind !== 'accepted' && kind !== 'unproved';
}

function keyOfEvidence({ kind, stored, shown }: WitnessEvidence): string {
  const isOfLogs = kind === 'new-log' || kind === 'accepted';
  const about = isOfLogs ? [originIn(stored), originIn(shown)] : [stored, shown];
  return hash('sha256', JSON.stringify([kind, ...about]));
}

function originIn(note: string): string {
  return note.slice(0, note.indexOf('\n'));
}

async function endsWithinLine(file: string): Promise<boolean> {
  return !(await readFile(file, 'utf8')).endsWith('\n');
}
