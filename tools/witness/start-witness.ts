import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWN_FOLDER } from '../../apps/server/src/platform/db/embedded/durable-file.ts';
import { LogWatcher, type Observation } from './log-watcher.ts';
import { sealsClient } from './seals-client.ts';
import { WitnessBook } from './witness-book.ts';
import { EvidenceBook } from './witness-evidence.ts';
import { ensureWitness, type WitnessIdentity } from './witness-identity.ts';
import { readWitnessedLog } from './witnessed-log.ts';

export type WitnessOptions = {
  readonly of: string;
  /** Key of the log to watch, from `/seals/key`. */
  readonly key: string;
  readonly dir: string;
  /** Name at the first start; default derived from the key. */
  readonly name: string | undefined;
  readonly report: (sentence: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
};

export type RunningWitness = {
  readonly identity: WitnessIdentity;
  readonly evidence: EvidenceBook;
  look(): Promise<Observation>;
  close(): void;
};

/** Throws if another witness uses the folder or its files are damaged. */
export async function startWitness(options: WitnessOptions): Promise<RunningWitness> {
  const { dir, report, now } = options;
  const log = readWitnessedLog(options.key);
  await mkdir(dir, { recursive: true, mode: OWN_FOLDER });
  const lock = lockFolder(dir);
  try {
    const identity = await ensureWitness(dir, options.name);
    const evidence = await EvidenceBook.open(dir, { log, report, now });
    const book = await WitnessBook.open(dir, { log, witness: identity, now });
    const watcher = new LogWatcher({ log, client: sealsClient(options.of), book, evidence, report, now });
    return { identity, evidence, look: () => watcher.look(), close: () => lock[Symbol.dispose]() };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

const SQLITE_BUSY = 5;

/** The system releases SQLite's lock however the process ends. */
function lockFolder(dir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dir, 'lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(
      `Another witness is running on the folder ${dir}. Two on one folder could give different answers.`,
      {
        cause: error,
      },
    );
  }
}
