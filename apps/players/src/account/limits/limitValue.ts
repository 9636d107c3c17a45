import { hundredthsOf } from '@drawhouse/contract/core/hundredths';
import type { ShownLimit } from '@drawhouse/contract/players/protection';
import { DAY_MINUTES, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import { limitText, limitTexts } from './limitTexts.ts';

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
      : limitTexts.sheet.wrongMinutes(DAY_MINUTES);
  const hundredths = value === null || Number.isNaN(value) ? null : hundredthsOf(value);
  return hundredths !== null && hundredths > 0n ? undefined : limitTexts.sheet.wrongPoints;
}

export function changeTo(own: number | null, next: number | null): 'same' | 'stricter' | 'looser' {
  if (own === next) return 'same';
  return next !== null && (own === null || next < own) ? 'stricter' : 'looser';
}

/** Null for per-draw limits, and if there is neither limit nor use. */
export function usedText({
  limit,
  value,
  used,
  left,
}: Pick<ShownLimit, 'limit' | 'value' | 'used' | 'left'>): string | null {
  if (used === null) return null;
  const texts = limitTexts.used;
  const isLoss = limit.startsWith('loss');
  if (isLoss && used < 0) return texts.ahead(limitText(limit, -used));
  const amount = limitText(limit, used);
  const sum = isLoss ? texts.lost(amount) : texts.used(amount);
  if (value === null || left === null) return used === 0 ? null : texts.soFar(sum);
  return left > 0 ? texts.left(sum, limitText(limit, left)) : texts.nothingLeft(sum);
}

/** 0 to 1. */
export function shareUsed({ value, used }: Pick<ShownLimit, 'value' | 'used'>): number | null {
  return value === null || used === null ? null : Math.min(1, Math.max(0, used / value));
}
