import type { BetTicket, ShownOutcome } from '@drawhouse/contract/reports/bet-list';
import { onceEach } from '@drawhouse/rules/once-each';
import type { GameRules, Outcome, Result } from '@drawhouse/rules/rules';

/** The addresses of the images of a game's outcomes, in their order; none where it has none. */
export type OutcomeImages = readonly string[] | undefined;

/** What the rules of a game say of its outcomes, to be looked up: results of a million rows are read by it. */
interface Lookup {
  /** Each outcome with its place among those that have images; -1 for what has none, as a suit. */
  readonly outcomes: ReadonlyMap<string, { readonly outcome: Outcome; readonly index: number }>;
  readonly groups: ReadonlyMap<string, { readonly series: string | null; readonly subseries: string | null }>;
}

const lookupOf = onceEach((rules: GameRules): Lookup => {
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

/** The numbers that a result has, each in its series and sub-series. */
export function numbersOf(rules: GameRules, result: Result): BetTicket['resultIds'] {
  if (!('winners' in result)) return [{ series: null, subseries: null, drawno: result.drawno }];
  const { groups } = lookupOf(rules);
  return Object.entries(result.winners).map(([group, drawno]) => ({
    ...(groups.get(group) ?? { series: group, subseries: null }),
    drawno,
  }));
}

/** An outcome of a game by its number, as it is shown; null where a number is none, as the last two digits of a triple. */
export function shownOutcome(rules: GameRules, images: OutcomeImages, drawno: string): ShownOutcome | null {
  const found = lookupOf(rules).outcomes.get(drawno);
  if (!found) return null;
  const { label, color = null } = found.outcome;
  return { drawno, label, color, image: images?.[found.index] ?? null };
}

/** What was drawn as it is shown, the card of Andar Bahar with its suit; null where several numbers were. */
export function shownResult(rules: GameRules, images: OutcomeImages, result: Result): ShownOutcome | null {
  const shown = 'drawno' in result ? shownOutcome(rules, images, result.drawno) : null;
  if (!shown || !('suit' in result)) return shown;
  const suit = shownOutcome(rules, undefined, result.suit)?.label ?? '';
  return { ...shown, label: shown.label + suit, color: result.color };
}
