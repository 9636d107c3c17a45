import { pino, type DestinationStream, type Logger, type LoggerOptions, type LogFn } from 'pino';
import { openLogFile, logFilesOf } from './log-file.ts';
import { formatLogLine } from './format-log-line.ts';
import { LRUCache } from 'lru-cache';

export interface LogSettings {
  readonly logLevel: string;
  /** Default: text on a terminal, JSON elsewhere. */
  readonly logFormat?: 'json' | 'text' | undefined;
  readonly dataDir: string;
  readonly port: number;
}

/**
 * Writes to standard output in LOG_FORMAT; also keeps the newest lines as JSON in a file. `number`: one process of
 * several, which has its own file and is named in its lines.
 */
export function createFileLogger({ logLevel, logFormat, dataDir, port }: LogSettings, number?: number): Logger {
  const out = pino.destination(1);
  const isText = (logFormat ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text';
  const isColored = process.stdout.isTTY && process.stdout.hasColors();
  const file = openLogFile(logFilesOf(dataDir, port, number), (error) =>
    queueMicrotask(() => logger.warn({ error }, 'the newest log lines can’t be saved to a file')),
  );
  const { logger, flush } = createLogger(
    { logLevel },
    {
      write(line) {
        out.write(isText ? formatLogLine(line, isColored) : line);
        file.write(line);
      },
    },
  );
  process.once('exit', () => {
    flush();
    file.close();
  });
  return number === undefined ? logger : logger.child({ process: number });
}

/** `flush` writes pending counts. */
export function createLogger(
  { logLevel }: Pick<LogSettings, 'logLevel'>,
  to: DestinationStream,
): { readonly logger: Logger; readonly flush: () => void } {
  const { hooks, flush } = countRepeats();
  const options: LoggerOptions = {
    level: logLevel,
    hooks,
    // pg attaches its whole client to errors; logs only these fields.
    serializers: { error: ({ message, code, stack }: Error & { code?: string }) => ({ message, code, stack }) },
  };
  return { logger: pino(options, to), flush };
}

const EVERY_MS = 60_000;
/** pino's `warn`. Lower levels are never counted. */
const WARN = 40;
/** Beyond this many distinct lines, the oldest window ends early. */
const MOST_LINES = 1_000;

interface Window {
  repeats: number;
  write: ((repeats: number) => void) | undefined;
  readonly timer: NodeJS.Timeout;
}

interface RepeatCounter {
  readonly hooks: NonNullable<LoggerOptions['hooks']>;
  readonly flush: () => void;
}

/**
 * Writes a warning or error immediately, counts repeats for a minute, then writes the newest with `repeats`. Lines
 * match by level, message and fields, errors by message and code. Request and path may differ, and numbers and ids in
 * an error's message: on a full disk, each draw fails with a file of its own.
 */
function countRepeats(): RepeatCounter {
  const windows = new LRUCache<string, Window>({
    max: MOST_LINES,
    dispose({ timer, repeats, write }) {
      clearTimeout(timer);
      write?.(repeats);
    },
  });

  function open(key: string): void {
    const timer = setTimeout(() => {
      const wasRepeated = windows.peek(key)?.write !== undefined;
      windows.delete(key);
      if (wasRepeated) open(key);
    }, EVERY_MS).unref();
    windows.set(key, { repeats: 0, write: undefined, timer });
  }

  return {
    hooks: {
      logMethod(args, method, level) {
        const key = level < WARN ? undefined : keyOf(level, args);
        const window = key === undefined ? undefined : windows.peek(key);
        if (window) {
          window.repeats++;
          window.write = (repeats) => method.apply(this, withRepeats(args, repeats));
          return;
        }
        if (key !== undefined) open(key);
        method.apply(this, args);
      },
    },
    flush: () => windows.clear(),
  };
}

/** Identify a call, not a fault. */
const OF_ONE_CALL: ReadonlySet<string> = new Set(['requestId', 'callerRequestId', 'path']);
const NUMBERS_AND_IDS = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\d+/g;

function keyOf(level: number, args: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify([level, ...args], (name, value: unknown) => {
      if (OF_ONE_CALL.has(name)) return undefined;
      if (value instanceof Error) {
        const { message, code } = value as NodeJS.ErrnoException;
        return { message: message.replaceAll(NUMBERS_AND_IDS, '#'), code };
      }
      return typeof value === 'bigint' ? String(value) : value;
    });
  } catch {
    return undefined;
  }
}

function withRepeats(args: Parameters<LogFn>, repeats: number): Parameters<LogFn> {
  const [first, ...rest] = args as unknown[];
  const withCount = typeof first === 'object' ? [{ ...first, repeats }, ...rest] : [{ repeats }, first, ...rest];
  return withCount as Parameters<LogFn>;
}
