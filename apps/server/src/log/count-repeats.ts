import { LRUCache } from 'lru-cache';
import type { LogFn, LoggerOptions } from 'pino';

const EVERY_MS = 60_000;
/** pino's number for `warn`: what is less is no trouble, and each line of it counts. */
const WARN = 40;
/** So many different lines are counted at once; the window of the oldest then ends early. */
const MOST_LINES = 1_000;

/** The repeats of one line within its minute, and how to write the newest of them. */
interface Window {
  repeats: number;
  write: ((repeats: number) => void) | undefined;
  readonly timer: NodeJS.Timeout;
}

/** Keeps a log from being flooded. */
export interface RepeatCounter {
  /** For pino. */
  readonly hooks: NonNullable<LoggerOptions['hooks']>;
  /** Writes the counts that are due later: to be called at the end. */
  readonly flush: () => void;
}

/**
 * Writes a warning or an error at once, counts its repeats, and writes the newest of them with `repeats` when the minute is over. Two lines are the same
 * if their level, message and fields are, and their errors by message and code: call and path may differ.
 */
export function countRepeats(): RepeatCounter {
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
      // It goes on: what repeats it in the next minute is counted too.
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

/** Fields that tell calls apart, not faults. */
const OF_ONE_CALL: ReadonlySet<string> = new Set(['requestId', 'callerRequestId', 'path']);

/** What two lines have in common that say the same; undefined if that cannot be written down. */
function keyOf(level: number, args: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify([level, ...args], (name, value: unknown) => {
      if (OF_ONE_CALL.has(name)) return undefined;
      if (value instanceof Error) return { message: value.message, code: (value as NodeJS.ErrnoException).code };
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
