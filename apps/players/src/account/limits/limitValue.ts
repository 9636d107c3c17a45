import { hundredthsOf } from '@drawhouse/contract/core/hundredths';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { DAY_MINUTES } from '@drawhouse/contract/players/protection-names';
import type { ProtectionLimit } from '@drawhouse/contract/players/protection-names';
import { countText, pointsText } from '../../lib/amounts.ts';

/** `500.00 points`, `90 minutes`. Null: unlimited. */
export function limitText(limit: ProtectionLimit, value: number | null): string {
  if (value === null) return 'No limit';
  if (limit !== 'minutesPerDay') return `${pointsText(value)} points`;
  return value === 1 ? '1 minute' : `${countText(value)} minutes`;
}

/** Null if empty, NaN if invalid. */
export function typedLimit(text: string): number | null {
  const plain = text.trim().replaceAll(',', '');
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

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

export function changeTo(own: number | null, next: number | null): 'same' | 'stricter' | 'looser' {
  if (own === next) return 'same';
  return next !== null && (own === null || next < own) ? 'stricter' : 'looser';
}

/** Null for per-draw limits, and if neither limit nor use exists. */
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

/** 0 to 1. Null if unknown. */
export function shareUsed({ value, used }: Pick<ShownLimit, 'value' | 'used'>): number | null {
  return value === null || used === null ? null : Math.min(1, Math.max(0, used / value));
}
