import { pino } from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import { countRepeats } from './count-repeats.ts';
import { openLogFile, logFilesOf } from './log-file.ts';
import { logText } from './log-text.ts';

export interface LogSettings {
  readonly logLevel: string;
  /** Text on a terminal, JSON elsewhere, unless set. */
  readonly logFormat?: 'json' | 'text' | undefined;
  readonly dataDir: string;
  readonly port: number;
}

/** Logs to standard output in LOG_FORMAT; keeps the newest lines as JSON in a file. */
export function createKeptLogger({ logLevel, logFormat, dataDir, port }: LogSettings): Logger {
  const out = pino.destination(1);
  const isText = (logFormat ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text';
  const isColored = process.stdout.isTTY && process.stdout.hasColors();
  // May fail before the logger exists.
  const kept = openLogFile(logFilesOf(dataDir, port), (error) =>
    queueMicrotask(() => logger.warn({ error }, 'the newest log lines can’t be saved to a file')),
  );
  const { logger, flush } = createLogger(
    { logLevel },
    {
      write(line) {
        out.write(isText ? logText(line, isColored) : line);
        kept.write(line);
      },
    },
  );
  process.once('exit', () => {
    flush();
    kept.close();
  });
  return logger;
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
