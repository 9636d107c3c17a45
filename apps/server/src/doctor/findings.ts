import { reasonIn } from '../db/unavailable.ts';

/** What is looked at, in the order in which it is told. */
export const SUBJECTS = [
  'settings',
  'node',
  'server',
  'ports',
  'postgresql',
  'migrations',
  'roles',
  'disk',
  'clock',
  'seed key',
  'seal key',
  'seals',
  'audit',
  'tables',
  'backups',
  'notices',
] as const;

/** What one finding is about. */
export type Subject = (typeof SUBJECTS)[number];

/** One thing that was looked at. */
export interface Finding {
  readonly of: Subject;
  readonly state: 'ok' | 'warning' | 'fault';
  /** What was found, as a sentence that names no account. */
  readonly says: string;
  /** What to do, as sentences; of what is well there is nothing. */
  readonly todo?: string;
  /** Which accounts it is about, or what names them, or what another program said: for whoever runs the server, and for nobody else. */
  readonly about?: readonly string[];
}

/** A finding that all is well. */
export function ok(of: Subject, says: string): Finding {
  return { of, state: 'ok', says };
}

/** A finding that goes on as it is, and had better be otherwise. */
export function warning(of: Subject, says: string, todo: string, about?: readonly string[]): Finding {
  return { of, state: 'warning', says, todo, ...(about && { about }) };
}

/** A finding that something is wrong. */
export function fault(of: Subject, says: string, todo: string, about?: readonly string[]): Finding {
  return { of, state: 'fault', says, todo, ...(about && { about }) };
}

/** What is found of a subject; a fault that says why where it can't be looked at, so that the rest is. */
export async function lookedAt(
  of: Subject,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [fault(of, `This could not be looked at: ${reasonIn(error as Error)}`, 'Mend that, and ask again.')];
  }
}

const WORDS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };

/** A finding as lines of a terminal. */
export function findingText({ of, state, says, todo, about = [] }: Finding): string {
  const rest = [...about.map((name) => `- ${name}`), ...(todo === undefined ? [] : [todo])];
  return [`${WORDS[state]}  ${of.padEnd(10)}  ${says}`, ...rest.map((line) => `${' '.repeat(21)}${line}`)].join('\n');
}

/** What to say of an error of the database or a file: its first line, without a full stop at its end. */
export function reasonOf(error: unknown): string {
  return reasonIn(error as Error)
    .split('\n')[0]!
    .replace(/[.:]$/, '');
}

const HOUR_MS = 3_600_000;

/** So long, in words: `40 minutes`, `3 hours`, `12 days`. Rounded. */
export function timeText(ms: number): string {
  const [count, unit] =
    ms < HOUR_MS ? [ms / 60_000, 'minute'] : ms < 48 * HOUR_MS ? [ms / HOUR_MS, 'hour'] : [ms / (24 * HOUR_MS), 'day'];
  const whole = Math.max(1, Math.round(count));
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
