import { hash } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILE, syncFolder } from '../../apps/server/src/platform/db/embedded/durable-file.ts';

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

/** Writes JSON Lines. */
export class EvidenceBook {
  readonly #file: string;
  readonly #dir: string;
  readonly #known: Set<string>;
  readonly #newLogs: WitnessEvidence[];
  #alarms: number;
  #unproved: number;
  #turn: Promise<unknown> = Promise.resolve();

  readonly #report: (sentence: string) => void;

  private constructor(dir: string, records: readonly WitnessEvidence[], report: (sentence: string) => void) {
    this.#dir = dir;
    this.#report = report;
    this.#file = join(dir, FILE);
    this.#known = new Set(records.map(keyOfEvidence));
    this.#newLogs = records.filter(({ kind }) => kind === 'new-log');
    this.#alarms = records.filter(isAlarm).length;
    this.#unproved = records.filter(({ kind }) => kind === 'unproved').length;
  }

  /** `report` names evidence dropped because the file is full. */
  static async open(dir: string, report: (sentence: string) => void): Promise<EvidenceBook> {
    return new EvidenceBook(dir, await readEvidence(dir), report);
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
  async accept(origin: string, found: string): Promise<boolean> {
    const noticed = this.#newLogs.filter(({ shown }) => originIn(shown) === origin);
    for (const one of noticed) await this.add({ ...one, kind: 'accepted', found, message: `${origin} was accepted.` });
    return noticed.length > 0;
  }

  /** False for duplicates. Resolves once on disk. */
  add(evidence: WitnessEvidence): Promise<boolean> {
    const added = this.#turn.then(() => this.#add(evidence));
    this.#turn = added.catch(() => {});
    return added;
  }

  async #add(evidence: WitnessEvidence): Promise<boolean> {
    const key = keyOfEvidence(evidence);
    if (this.#known.has(key) || (evidence.kind === 'unproved' && this.#unproved >= MOST_UNPROVED)) return false;
    const { size } = await stat(this.#file).catch(() => ({ size: 0 }));
    const isFull = size >= MOST_BYTES;
    const line = JSON.stringify(evidence);
    if (isFull) this.#report(`${this.#file} is full: move it elsewhere and keep it. Not recorded: ${line}`);
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
