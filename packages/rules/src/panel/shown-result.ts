import type { GameRules, Outcome, Result } from '../games/game-rules.ts';
import { rulesFor } from '../games/rules.ts';
import type { GameIdentity } from '../games/rules.ts';
import { seriesName } from '../games/families/jodi.ts';
import { layoutOf, slotOf } from './layout.ts';
import type { PanelLayout, Selection } from './layout.ts';

const MOST_NAMED = 3;

export function shortWinners({ sections }: PanelLayout, winners: Selection): string {
  const named = sections.flatMap(({ slot, short }) => {
    const drawno = winners[slot];
    return drawno === undefined ? [] : [short === undefined ? drawno : `${short} ${drawno}`];
  });
  if (sections[0]?.short !== undefined) return named.join(' · ');
  const more = named.length - MOST_NAMED;
  return more > 0 ? `${named.slice(0, MOST_NAMED - 1).join(', ')} + ${more + 1} more` : named.join(', ');
}

/** Every winner, by series (4D) or tier (jodi). */
export function allWinners(
  { sections }: PanelLayout,
  winners: Selection,
): { readonly series: string; readonly numbers: readonly { readonly slot: string; readonly drawno: string }[] }[] {
  const won = sections.filter(({ slot }) => winners[slot] !== undefined);
  return [...Map.groupBy(won, ({ series, title }) => series ?? title)].map(([series, of]) => ({
    series: seriesName(series),
    numbers: of.map(({ slot }) => ({ slot, drawno: winners[slot]! })),
  }));
}

/** Slots whose winner pays one of these bets. */
export function slotsWonBy(
  rules: GameRules,
  winners: Selection,
  hasBet: (key: string) => boolean,
): ReadonlySet<string> {
  const paid = rules.outcomes.filter(
    (outcome) =>
      winners[slotOf(outcome)] === outcome.drawno && rules.outcomeBets(outcome).some(({ key }) => hasBet(key)),
  );
  return new Set(paid.map((outcome) => slotOf(outcome)));
}

export type DisplayOutcome = Pick<Outcome, 'drawno' | 'label'> & { color?: string | null; image?: string | null };

/** The drawn outcome or card. Null for grouped results. */
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

/** As players read it: `7`, `Sun`, `A♠`, `K50 07 · K60 42`, `1042, 1101 + 28 more`. Null for results of other games. */
export function resultName(game: GameIdentity, result: Result): string | null {
  if ('winners' in result) return shortWinners(layoutOf(game), result.winners);
  const { outcomes, cardTypes = [] } = rulesFor({ ...game, pays: null });
  return drawnOutcome<DisplayOutcome>({ data: outcomes, dataCardTypes: cardTypes }, result)?.label ?? null;
}
