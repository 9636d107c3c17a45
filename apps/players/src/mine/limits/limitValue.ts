import { hundredthsOf } from '@drawhouse/contract/frame/hundredths';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { DAY_MINUTES } from '@drawhouse/contract/players/protection-names';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { countText, pointsText } from '../../lib/amounts.ts';

/** A limit, or what is used of one, in words: `500.00 points`, `90 minutes`; null: there is none. */
export function limitText(limit: ProtectionLimit, value: number | null): string {
  if (value === null) return 'No limit';
  if (limit !== 'minutesPerDay') return `${pointsText(value)} points`;
  return value === 1 ? '1 minute' : `${countText(value)} minutes`;
}

/** What was typed as the server takes it: null for nothing, NaN for what is no number. */
export function typedLimit(text: string): number | null {
  const plain = text.trim().replaceAll(',', '');
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** What is wrong with what was typed, and what would be right; undefined where it may be sent. */
export function limitError(limit: ProtectionLimit, text: string): string | undefined {
  const value = typedLimit(text);
  if (limit === 'minutesPerDay')
    return value !== null && Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES
      ? undefined
      : `Write whole minutes from 1 to ${countText(DAY_MINUTES)}`;
  const hundredths = value === null || Number.isNaN(value) ? null : hundredthsOf(value);
  return hundredths !== null && hundredths > 0n
    ? undefined
    : 'Write points above 0 with at most 2 decimals, such as 500';
}

/** What another own limit would be: the same, a stricter one, which holds at once, or a looser one, which waits. */
export function changeTo(own: number | null, next: number | null): 'same' | 'stricter' | 'looser' {
  if (own === next) return 'same';
  return next !== null && (own === null || next < own) ? 'stricter' : 'looser';
}

/** How much of a limit is used, in words; null of one on a single draw, and where there is none and nothing is used. */
export function usedText({
  limit,
  value,
  used,
  left,
}: Pick<ShownLimit, 'limit' | 'value' | 'used' | 'left'>): string | null {
  if (used === null) return null;
  const isLoss = limit.startsWith('loss');
  if (isLoss && used < 0) return `You are ${limitText(limit, -used)} ahead.`;
  const words = `${limitText(limit, used)} ${isLoss ? 'lost' : 'used'}`;
  if (value === null || left === null) return used === 0 ? null : `${words} so far.`;
  return `${words}, ${left > 0 ? `${limitText(limit, left)} left` : 'nothing left'}.`;
}

/** What share of a limit is used, from 0 to 1; null where that can't be said. */
export function shareUsed({ value, used }: Pick<ShownLimit, 'value' | 'used'>): number | null {
  return value === null || used === null ? null : Math.min(1, Math.max(0, used / value));
}
