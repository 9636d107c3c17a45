import { DIGITS_BY_FAMILY, rulesFor } from '@drawhouse/rules/games/rules';
import type { BetLine, GameRules } from '@drawhouse/rules/games/rules';
import { FAMILIES } from '@drawhouse/rules/games/catalogue';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';

/** Returns undefined for an unknown family. */
export function rulesOfPanel(gameId: string, family: string, outcomes: number): GameRules | undefined {
  if (!FAMILIES.includes(family as FamilyName)) return undefined;
  const sizes = DIGITS_BY_FAMILY[family as FamilyName];
  const digits = sizes?.length === 1 ? sizes[0]! : outcomes;
  return rulesFor({ gameId, family: family as FamilyName, digits });
}

/** Every possible bet once, as a ticket line without quantity. */
export function everyBet(rules: GameRules): BetLine[] {
  const found = new Map<string, BetLine>();
  const outcomes = [...rules.outcomes, ...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  for (const { drawno, series, subseries } of outcomes)
    // Some heads bet on leading or trailing digits.
    for (const digits of new Set([drawno, drawno.slice(0, 2), drawno.slice(-2), drawno.slice(0, 1), drawno.slice(-1)]))
      for (const { name } of rules.heads) {
        const line = {
          drawno: digits,
          ...(rules.heads.length > 1 && { head: name }),
          ...(series !== undefined && { series }),
          ...(subseries !== undefined && { subseries }),
        };
        const bet = rules.parseBet(line);
        if (bet.ok && !found.has(bet.key)) found.set(bet.key, line);
      }
  return [...found.values()];
}
