import type { GameRules, Outcome, Result } from '../games/game-rules.ts';
import { seriesName, shownOutcome } from '../games/outcome-names.ts';

const MOST_NAMED = 3;
type Winners = Readonly<Record<string, string>>;

/** Tiers are named by letters, sub-series by their first number. */
const isTier = (slot: string): boolean => Number.isNaN(Number(slot));

const inOrder = (winners: Winners): [slot: string, drawno: string][] =>
  Object.entries(winners).toSorted(([one], [other]) => (one < other ? -1 : 1));

export function shortWinners(winners: Winners): string {
  const won = inOrder(winners);
  const named = won.map(([slot, drawno]) => (isTier(slot) ? `${tierLetters(slot)} ${drawno}` : drawno));
  if (won.some(([slot]) => isTier(slot))) return named.join(' · ');
  const more = named.length - MOST_NAMED;
  return more > 0 ? `${named.slice(0, MOST_NAMED - 1).join(', ')} + ${more + 1} more` : named.join(', ');
}

/** `K60` of `K60GOLD`. */
export function tierLetters(series: string): string {
  return series.slice(0, 3);
}

/** docs/spec/game-operations.md §9: `3000-3999`. */
export function seriesTitle(number: string): string {
  const first = Number(number) - (Number(number) % 1000);
  return `${first}-${first + 999}`;
}

/** Groups by series (4D) or tier (jodi). */
export function allWinners(
  winners: Winners,
): { readonly series: string; readonly numbers: readonly { readonly slot: string; readonly drawno: string }[] }[] {
  const titleOf = (slot: string): string => (isTier(slot) ? seriesName(slot) : seriesTitle(slot));
  return [...Map.groupBy(inOrder(winners), ([slot]) => titleOf(slot))].map(([series, of]) => ({
    series,
    numbers: of.map(([slot, drawno]) => ({ slot, drawno })),
  }));
}

export function groupOf({ subseries, series = '' }: Outcome): string {
  return subseries ?? series;
}

/** Slots whose winner pays one of these bets. */
export function slotsWonBy(rules: GameRules, winners: Winners, hasBet: (key: string) => boolean): ReadonlySet<string> {
  const paid = rules.outcomes.filter(
    (outcome) =>
      winners[groupOf(outcome)] === outcome.drawno && rules.outcomeBets(outcome).some(({ key }) => hasBet(key)),
  );
  return new Set(paid.map(groupOf));
}

export type DisplayOutcome = Pick<Outcome, 'drawno' | 'label'> & { color?: string | null; image?: string | null };

export function drawnOutcome<Of extends DisplayOutcome>(
  { data, dataCardTypes }: { data: readonly Of[]; dataCardTypes: readonly DisplayOutcome[] },
  result: Result,
): (Of & DisplayOutcome) | null {
  const row = 'drawno' in result && data.find(({ drawno }) => drawno === result.drawno);
  if (!row) return null;
  if (!('suit' in result)) return row;
  const suit = dataCardTypes.find(({ drawno }) => drawno === result.suit)?.label ?? '';
  return { ...row, label: row.label + suit, color: result.color };
}

/** Names results as players read them: `7`, `Sun`, `A♠`, `K50 07 · K60 42`, `1042, 1101 + 28 more`. */
export function resultName(game: { gameId: string; family: string }, result: Result): string {
  return 'winners' in result ? shortWinners(result.winners) : shownOutcome(game, result)!.label;
}
