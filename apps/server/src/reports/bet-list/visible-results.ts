import type { BetTicket, ShownOutcome } from '@drawhouse/contract/reports/bet-list';
import { memoizeByObject } from '@drawhouse/rules/memoize';
import type { GameRules, Outcome, Result } from '@drawhouse/rules/games/rules';

export type OutcomeImages = readonly string[] | undefined;

/** Cached per game: results of a million rows are read through it. */
interface Lookup {
  /** `index` among outcomes with images; -1 for others, such as suits. */
  readonly outcomes: ReadonlyMap<string, { readonly outcome: Outcome; readonly index: number }>;
  readonly groups: ReadonlyMap<string, { readonly series: string | null; readonly subseries: string | null }>;
}

const lookupOf = memoizeByObject((rules: GameRules): Lookup => {
  const others = [...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  return {
    outcomes: new Map([
      ...others.map((outcome) => [outcome.drawno, { outcome, index: -1 }] as const),
      ...rules.outcomes.map((outcome, index) => [outcome.drawno, { outcome, index }] as const),
    ]),
    groups: new Map(
      rules.outcomes.map(({ series = null, subseries = null }) => [subseries ?? series ?? '', { series, subseries }]),
    ),
  };
});

export function numbersOf(rules: GameRules, result: Result): BetTicket['resultIds'] {
  if (!('winners' in result)) return [{ series: null, subseries: null, drawno: result.drawno }];
  const { groups } = lookupOf(rules);
  return Object.entries(result.winners).map(([group, drawno]) => ({
    ...(groups.get(group) ?? { series: group, subseries: null }),
    drawno,
  }));
}

/** Null if the number is no outcome, such as a triple's last two digits. */
export function shownOutcome(rules: GameRules, images: OutcomeImages, drawno: string): ShownOutcome | null {
  const found = lookupOf(rules).outcomes.get(drawno);
  if (!found) return null;
  const { label, color = null } = found.outcome;
  return { drawno, label, color, image: images?.[found.index] ?? null };
}

/** Andar Bahar includes the suit. Null if several numbers were drawn. */
export function shownResult(rules: GameRules, images: OutcomeImages, result: Result): ShownOutcome | null {
  const shown = 'drawno' in result ? shownOutcome(rules, images, result.drawno) : null;
  if (!shown || !('suit' in result)) return shown;
  const suit = shownOutcome(rules, undefined, result.suit)?.label ?? '';
  return { ...shown, label: shown.label + suit, color: result.color };
}
