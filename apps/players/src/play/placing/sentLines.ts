import type { LaidBet } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { SentLine } from './pendingBet.ts';

export function sentLines(lines: readonly LaidBet[]): SentLine[] {
  return lines.map(({ drawno, head, series, subseries, qty }) => ({
    drawno,
    head,
    ...(series !== null && { series }),
    ...(subseries !== null && { subseries }),
    qty,
  }));
}

export function lineAgain(
  lines: readonly {
    drawno: string;
    head?: string | undefined;
    series?: string | undefined;
    subseries?: string | undefined;
    qty: number;
  }[],
  rules: GameRules,
): LaidBet[] {
  return lines.flatMap(({ qty, ...line }) => {
    const parsed = rules.parseBet(line);
    if (!parsed.ok) return [];
    const { key, drawno, head, series, subseries } = parsed;
    return [{ key, drawno, head, series, subseries, qty }];
  });
}
