import { hash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILE, syncFolder } from '../../apps/server/src/db/durable-file.ts';

/** A larger file is not written on: what is in it is enough. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_UNPROVED = 100;
const FILE = 'evidence.jsonl';

/**
 * What was shown that should not be. `fork`: two trees of one size with two roots, or one that is proved not to go on with the other by what the server itself
 * answers; `rollback`: a tree with fewer records, or a log before the newest; `unproved`: a larger tree, by `add-checkpoint`, of which nobody has given a proof that it goes on with the one before. Whoever sends a signed note with a wrong proof
 * while the server is away makes one, so it is no alarm, and no more than {@link MOST_UNPROVED} are kept;
 * `new-log`: the server has begun a new log, which it never does by itself. That alone is nothing wrong, and ends what was sealed before: until a person has
 * found out why, which is a line `accepted` with the same notes, it is said at each start.
 */
export type EvidenceKind = 'fork' | 'rollback' | 'unproved' | 'new-log' | 'accepted';

/** One line of the evidence file. */
export type WitnessEvidence = {
  readonly kind: EvidenceKind;
  /** When it was found, ISO 8601. */
  readonly found: string;
  /** What it means, as a sentence. */
  readonly says: string;
  /** The verifier key of the log, by which anyone verifies both notes. */
  readonly key: string;
  /** The note that the witness had, as the log signed it. */
  readonly kept: string;
  /** The note that it was shown then. */
  readonly shown: string;
  /** The proof that the server gave, which does not lead from the one to the other: base64, or null where none was given. */
  readonly proof: readonly string[] | null;
};

/** The file in which a witness keeps evidence, a line of JSON each. */
export class EvidenceBook {
  readonly #file: string;
  readonly #dir: string;
  readonly #known: Set<string>;
  readonly #newLogs: WitnessEvidence[];
  #alarms: number;
  #unproved: number;
  #turn: Promise<unknown> = Promise.resolve();

  readonly #say: (sentence: string) => void;

  private constructor(dir: string, known: readonly WitnessEvidence[], say: (sentence: string) => void) {
    this.#dir = dir;
    this.#say = say;
    this.#file = join(dir, FILE);
    this.#known = new Set(known.map(keyOfEvidence));
    this.#newLogs = known.filter(({ kind }) => kind === 'new-log');
    this.#alarms = known.filter(isAlarm).length;
    this.#unproved = known.filter(({ kind }) => kind === 'unproved').length;
  }

  /** Opens the evidence of a folder. `say` hears what is not written, as the file is full. */
  static async open(dir: string, say: (sentence: string) => void): Promise<EvidenceBook> {
    return new EvidenceBook(dir, await readEvidence(dir), say);
  }

  /** Where it is. */
  get file(): string {
    return this.#file;
  }

  /** How many lines there are of what is wrong. */
  get alarms(): number {
    return this.#alarms;
  }

  /** The new logs that no person has accepted yet. */
  get unsettled(): readonly WitnessEvidence[] {
    return this.#newLogs.filter((one) => !this.#known.has(keyOfEvidence({ ...one, kind: 'accepted' })));
  }

  /** Whether a person has accepted the new log of an origin. */
  isAccepted(origin: string): boolean {
    const isOf = ({ shown }: WitnessEvidence): boolean => originIn(shown) === origin;
    return this.#newLogs.some(isOf) && !this.unsettled.some(isOf);
  }

  /** Keeps that a person has accepted the new log of an origin; false where none of it was noticed. */
  async accept(origin: string, found: string): Promise<boolean> {
    const noticed = this.#newLogs.filter(({ shown }) => originIn(shown) === origin);
    for (const one of noticed) await this.add({ ...one, kind: 'accepted', found, says: `${origin} was accepted.` });
    return noticed.length > 0;
  }

  /** Writes what was not written before, and answers whether it has; done once the disk has it. */
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
    if (isFull) this.#say(`${this.#file} is full: move it elsewhere and keep it. Not written down: ${line}`);
    else {
      const handle = await open(this.#file, 'a', OWN_FILE);
      try {
        await handle.writeFile(`${(await endsWithinLine(this.#file)) ? '\n' : ''}${line}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(this.#dir);
    }
    this.#known.add(key);
    if (evidence.kind === 'new-log') this.#newLogs.push(evidence);
    if (evidence.kind === 'unproved') this.#unproved++;
    if (isAlarm(evidence)) this.#alarms++;
    return !isFull;
  }
}

/** The evidence of a folder. A line that was not written whole, because the witness was killed, is left out. */
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

/** One of a kind is enough for each pair of trees, and for each pair of logs. */
function keyOfEvidence({ kind, kept, shown }: WitnessEvidence): string {
  const isOfLogs = kind === 'new-log' || kind === 'accepted';
  const about = isOfLogs ? [originIn(kept), originIn(shown)] : [kept, shown];
  return hash('sha256', JSON.stringify([kind, ...about]));
}

function originIn(note: string): string {
  return note.slice(0, note.indexOf('\n'));
}

async function endsWithinLine(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8');
  return text !== '' && !text.endsWith('\n');
}
