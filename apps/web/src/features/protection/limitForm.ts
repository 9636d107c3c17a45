import { DAY_MINUTES, PROTECTION_LIMITS, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { formatCount, formatPoints } from '../../lib/format/format.ts';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { setPlayerLimit, type ProtectionEntry, type ShownLimit } from '@drawhouse/contract/players/protection';

export function limitText(limit: ProtectionLimit, value: number | null): string {
  if (value === null) return '–';
  return limit === 'minutesPerDay' ? `${formatCount(value)} min` : formatPoints(value);
}

export function setByText(setBy: ShownLimit['setBy']): string {
  if (setBy === null) return 'No limit';
  return setBy === 'player' ? 'Player’s' : 'Managers’';
}

/** 0 to 1; null if unknown. */
export function shareUsed({ value, used }: Pick<ShownLimit, 'value' | 'used'>): number | null {
  return value === null || used === null ? null : Math.min(1, Math.max(0, used / value));
}

export interface LimitForm {
  value: string;
  reason: string;
}

export function typedLimit(value: string): number | null {
  const text = value.trim().replaceAll(',', '');
  if (text === '') return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

export function limitErrors(limit: ProtectionLimit, { value, reason }: LimitForm): Record<string, string> {
  const typed = typedLimit(value);
  if (limit === 'minutesPerDay' && typed !== null && !(Number.isInteger(typed) && typed >= 1 && typed <= DAY_MINUTES))
    return { value: `Enter whole minutes from 1 to ${formatCount(DAY_MINUTES)}, or leave empty for no limit` };
  const wrong = schemaErrors(setPlayerLimit.body!, { value: typed, reason });
  return wrong['value'] === undefined
    ? wrong
    : { ...wrong, value: 'Enter points above 0 with at most 2 decimals, e.g. 500, or leave empty for no limit' };
}

export function entryText(entry: ProtectionEntry): string {
  const { what, step, before, after, length } = entry;
  if (what === 'break') return `Break of ${length}`;
  if (what === 'exclusion') return `Exclusion of ${length}${step === 'withdrawn' ? ' ended' : ''}`;
  const words = (value: number | null): string => (value === null ? 'none' : limitText(what, value));
  const name = PROTECTION_LIMITS[what];
  switch (step) {
    case 'set':
      return `${name}: ${words(before)} → ${words(after)}`;
    case 'asked':
      return `${name}: requested ${words(after)} instead of ${words(before)}`;
    case 'confirmed':
      return `${name}: ${words(before)} → ${words(after)}, confirmed`;
    case 'withdrawn':
      return `${name}: ${words(after)} withdrawn`;
  }
}
