import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { appendFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FILE, OWN_FOLDER } from '../db/durable-file.ts';

/** A file of so many bytes is put aside, in the place of the one that was put aside before it. */
const MOST_BYTES = 1_000_000;
/** So much waits in memory at most while the disk takes its time; what is more is left out. */
const MOST_WAITING = 256_000;
const WRITE_EVERY_MS = 1_000;

/** The newest lines of a log, kept in a file for whoever helps. */
export interface KeptLog {
  /** Takes a line with its end. It never waits and never fails. */
  write(line: string): void;
  /** Writes what waits, and takes no more. */
  close(): void;
}

/** The folder in which servers keep the newest lines of their logs. */
export function logFolderOf(dataDir: string): string {
  return join(dataDir, 'log');
}

/** The file of one of several servers, which may share a data folder; and what it put aside. */
export function logFilesOf(dataDir: string, port: number): readonly [file: string, aside: string] {
  const file = join(logFolderOf(dataDir), `server-${port}.log`);
  return [file, `${file}.1`];
}

/**
 * Keeps the newest lines of a log: between one and two megabytes. Its folder is made. What can't be written, as on a full disk, is left out, and `failed` hears of it once until it can be
 * written again: a server goes on without it.
 */
export function keepLog([file, aside]: readonly [string, string], failed: (error: Error) => void): KeptLog {
  let waiting = '';
  let [isClosed, isFailing, isWriting] = [false, false, false];
  const tried = (error?: unknown): void => {
    if (error !== undefined && !isFailing) failed(error as Error);
    isFailing = error !== undefined;
  };
  try {
    mkdirSync(dirname(file), { recursive: true, mode: OWN_FOLDER });
  } catch (error) {
    tried(error);
  }
  const take = (): string => {
    const lines = waiting;
    waiting = '';
    return lines;
  };
  async function write(): Promise<void> {
    if (isWriting || waiting === '') return;
    isWriting = true;
    try {
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size >= MOST_BYTES) await rename(file, aside);
      await appendFile(file, take(), { mode: OWN_FILE });
      tried();
    } catch (error) {
      tried(error);
    }
    isWriting = false;
  }
  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    write(line) {
      if (!isClosed && waiting.length + line.length <= MOST_WAITING) waiting += line;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      if (waiting === '') return;
      try {
        const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (size >= MOST_BYTES) renameSync(file, aside);
        appendFileSync(file, take(), { mode: OWN_FILE });
      } catch (error) {
        tried(error);
      }
    },
  };
}
