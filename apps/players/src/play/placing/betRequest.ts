import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { SentLine, BetRefusal } from './pendingBet.ts';
import { isLimitRefusal } from './pendingBet.ts';
import { lazyTexts } from '../lazyTexts.ts';

export function sentLines(lines: readonly SlipLine[]): SentLine[] {
  return lines.map(({ drawno, head, series, subseries, qty }) => ({
    drawno,
    head,
    ...(series !== null && { series }),
    ...(subseries !== null && { subseries }),
    qty,
  }));
}

export function parseSentLines(
  lines: readonly {
    drawno: string;
    head?: string | undefined;
    series?: string | undefined;
    subseries?: string | undefined;
    qty: number;
  }[],
  rules: GameRules,
): SlipLine[] {
  return lines.flatMap(({ qty, ...line }) => {
    const parsed = rules.parseBet(line);
    if (!parsed.ok) return [];
    const { key, drawno, head, series, subseries } = parsed;
    return [{ key, drawno, head, series, subseries, qty }];
  });
}

/** UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, 74 random bits. `random`: 10 bytes. */
export function uuidV7(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const texts = lazyTexts.status;

/** Server messages for fields, naming the line's number; else the general one. */
export function refusalText(refusal: BetRefusal | null, lines: readonly SentLine[]): string {
  if (refusal === null) return texts.notReached;
  if (refusal.code === 'BETTING_CLOSED') return texts.closed;
  // The sentence already names the limit.
  if (isLimitRefusal(refusal)) return refusal.message;
  const about = Object.entries(refusal.fields ?? {}).map(([field, text]) => {
    const [, index] = /^lines\.(\d+)/.exec(field) ?? [];
    const on = index === undefined ? undefined : lines[Number(index)]?.drawno;
    return (on === undefined ? '' : `${on}: `) + (/[.!?]$/.test(text) ? text : `${text}.`);
  });
  return about.length > 0 ? about.join(' ') : refusal.message;
}
