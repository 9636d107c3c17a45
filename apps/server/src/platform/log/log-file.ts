import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { appendFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWN_FILE, OWN_FOLDER } from '../db/embedded/durable-file.ts';

/** Rotation size; one previous file is kept. */
const MOST_BYTES = 1_000_000;
/** Bytes buffered for slow disks; drops further lines. */
const MOST_WAITING = 256_000;
const WRITE_EVERY_MS = 1_000;

export interface LogFile {
  /** Expects a complete line. Never blocks or fails. */
  write(line: string): void;
  close(): void;
}

export function logFolderOf(dataDir: string): string {
  return join(dataDir, 'log');
}

/** Current and rotated file. Per port, because servers may share a data folder, and per process. */
export function logFilesOf(dataDir: string, port: number, number?: number): readonly [file: string, aside: string] {
  const file = join(logFolderOf(dataDir), `server-${port}${number === undefined ? '' : `-${number}`}.log`);
  return [file, `${file}.1`];
}

/**
 * Keeps the newest one to two megabytes. Drops lines it cannot write, such as on a full disk; calls `failed` once per
 * failure period.
 */
export function openLogFile([file, aside]: readonly [string, string], failed: (error: Error) => void): LogFile {
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
