import type { Outcome, Result } from '../games/game-rules.ts';
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

/** Complete winners by series, if `shortWinners` abbreviates; else empty. */
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
