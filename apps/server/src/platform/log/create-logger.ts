import { styleText } from 'node:util';
import { LRUCache } from 'lru-cache';
import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { logFilesOf, openLogFile } from './log-file.ts';

export interface LogSettings {
  readonly logLevel: string;
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
 * an error's message: on a full disk, each draw fails with a different file.
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

const LEVELS: Readonly<Record<number, readonly [name: string, color: 'red' | 'yellow' | 'cyan' | 'gray']>> = {
  60: ['FATAL', 'red'],
  50: ['ERROR', 'red'],
  40: ['WARN ', 'yellow'],
  30: ['INFO ', 'cyan'],
  20: ['DEBUG', 'gray'],
  10: ['TRACE', 'gray'],
};

interface LoggedError {
  readonly message?: string;
  readonly code?: string;
  readonly stack?: string;
}

/** `2026-01-31 18:30:00Z ERROR a step failed: no room name=day`, followed by an error's stack. */
export function formatLogLine(json: string, isColored: boolean): string {
  const {
    level,
    time,
    pid: _pid,
    hostname: _host,
    msg = '',
    error,
    ...fields
  } = JSON.parse(json) as {
    readonly level: number;
    readonly time: number;
    readonly pid?: number;
    readonly hostname?: string;
    readonly msg?: string;
    readonly error?: LoggedError;
  };
  const [name, color] = LEVELS[level] ?? [String(level), 'gray'];
  const shown = isColored ? styleText(color, name, { validateStream: false }) : name;
  const at = new Date(time).toISOString().replace('T', ' ').replace(/\.\d+/, '');
  const what = [msg, error?.message]
    .filter(Boolean)
    .map((text) => oneLine(text!))
    .join(': ');
  const more = Object.entries({ ...fields, ...(error?.code === undefined ? {} : { error: error.code }) });
  const extra = more.map(([key, value]) => ` ${key}=${wordOf(value)}`).join('');
  return `${at} ${shown} ${what}${extra && ` ${extra}`}\n${framesOf(error?.stack)}`;
}

function framesOf(stack = ''): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((line) => `    ${oneLine(line.trim())}\n`).join('');
}

function wordOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) || typeof value !== 'string' ? oneLine(text) : oneLine(JSON.stringify(text));
}

/** Escapes line breaks and terminal control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (sign) =>
    JSON.stringify(sign)
      .slice(1, -1)
      .replace(/^[\u007f-\u009f]$/, '�'),
  );
}
