import type { Outcome, Result } from './game-rules.ts';
import type { PanelLayout, Selection } from './layout.ts';

/** From so many winners on only the first are named. */
const MOST_NAMED = 3;

/** What came up in several sections in a few characters: `1042, 1101 + 10 more`, `K50 07 · K60 42`; empty where nothing did. */
export function shortWinners({ sections }: PanelLayout, winners: Selection): string {
  const named = sections.flatMap(({ slot, short }) => {
    const drawno = winners[slot];
    return drawno === undefined ? [] : [short === undefined ? drawno : `${short} ${drawno}`];
  });
  if (sections[0]?.short !== undefined) return named.join(' · ');
  const more = named.length - MOST_NAMED;
  return more > 0 ? `${named.slice(0, MOST_NAMED - 1).join(', ')} + ${more + 1} more` : named.join(', ');
}

/** Every number that came up in several sections, by series: for where the short text leaves some out; empty where it leaves out none. */
export function allWinners(
  { sections }: PanelLayout,
  winners: Selection,
): { readonly series: string; readonly drawnos: readonly string[] }[] {
  const won = sections.filter(({ slot }) => winners[slot] !== undefined);
  if (won.length <= MOST_NAMED || sections[0]?.short !== undefined) return [];
  return [...Map.groupBy(won, ({ series }) => series ?? '')].map(([series, of]) => ({
    series,
    drawnos: of.map(({ slot }) => winners[slot]!),
  }));
}

/** An outcome as far as it is looked at: of the rules, or a row of a panel, which may have an image of its own. */
export type SeenOutcome = Pick<Outcome, 'drawno' | 'label'> & { color?: string | null; image?: string | null };

/** A result as one outcome to look at: the one that was drawn, or the card of its rank and suit; null where several numbers were. */
export function drawnOutcome<Of extends SeenOutcome>(
  { data, dataCardTypes }: { data: readonly Of[]; dataCardTypes: readonly SeenOutcome[] },
  result: Result,
): (Of & SeenOutcome) | null {
  const row = 'drawno' in result && data.find(({ drawno }) => drawno === result.drawno);
  if (!row) return null;
  if (!('suit' in result)) return row;
  const suit = dataCardTypes.find(({ drawno }) => drawno === result.suit)?.label ?? '';
  return { ...row, label: row.label + suit, color: result.color };
}
