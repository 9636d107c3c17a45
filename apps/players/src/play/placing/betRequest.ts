import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { isLimitRefusal, type SentLine, type BetRefusal } from './pendingBet.ts';
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

const texts = lazyTexts.status;

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
