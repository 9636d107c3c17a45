import { reasonIn } from '../../platform/db/connection/unavailable.ts';
import { timeWords } from '../../protection/protection-texts.ts';

export const SUBJECTS = [
  'settings',
  'node',
  'server',
  'ports',
  'postgresql',
  'migrations',
  'roles',
  'disk',
  'cell',
  'clock',
  'seed key',
  'seal key',
  'seals',
  'audit',
  'tables',
  'backups',
  'notices',
] as const;

export type Subject = (typeof SUBJECTS)[number];

export interface Finding {
  readonly of: Subject;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly says: string;
  readonly todo?: string;
  /** Accounts or foreign output, for the operator only. */
  readonly about?: readonly string[];
}

export function ok(of: Subject, says: string): Finding {
  return { of, state: 'ok', says };
}

export function warning(of: Subject, says: string, todo: string, about?: readonly string[]): Finding {
  return { of, state: 'warning', says, todo, ...(about && { about }) };
}

export function fault(of: Subject, says: string, todo: string, about?: readonly string[]): Finding {
  return { of, state: 'fault', says, todo, ...(about && { about }) };
}

/** An error becomes a finding. */
export async function findOrReport(
  of: Subject,
  find: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await find();
  } catch (error) {
    return [fault(of, `The check failed: ${reasonIn(error as Error)}`, 'Fix that, and run the doctor again.')];
  }
}

const WORDS = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' };

export function findingText({ of, state, says, todo, about = [] }: Finding): string {
  const rest = [...about.map((name) => `- ${name}`), ...(todo === undefined ? [] : [todo])];
  return [`${WORDS[state]}  ${of.padEnd(10)}  ${says}`, ...rest.map((line) => `${' '.repeat(21)}${line}`)].join('\n');
}

/** Uses the machine's zone: `26 November 2026 at 12:00 (Asia/Kolkata)`. */
export function localText(at: Date): string {
  return timeWords(at, Intl.DateTimeFormat().resolvedOptions().timeZone);
}

export function reasonOf(error: unknown): string {
  return reasonIn(error as Error)
    .split('\n')[0]!
    .replace(/[.:]$/, '');
}

const HOUR_MS = 3_600_000;

/** Rounded: `40 minutes`, `3 hours`, `12 days`. */
export function timeText(ms: number): string {
  const [count, unit] =
    ms < HOUR_MS ? [ms / 60_000, 'minute'] : ms < 48 * HOUR_MS ? [ms / HOUR_MS, 'hour'] : [ms / (24 * HOUR_MS), 'day'];
  const whole = Math.max(1, Math.round(count));
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}
