import { styleText } from 'node:util';

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
