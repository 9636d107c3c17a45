import type { ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { drawnOutcome } from '@drawhouse/rules/shown-result';
import { winnersOf } from '../liveFormat.ts';

/** A result as it fills the wall. */
export interface WallDrawn {
  /** What was drawn, each with the group that it won in, where its number does not tell: a number, a card, or several numbers. */
  names: readonly { name: string; group: string }[];
  /** What it is called besides, or its colour on a wheel; empty where that is nothing more. */
  side: string;
}

/** A result in the words that fill the wall: of several numbers all, in the order of the panel. */
export function wallDrawn(panel: Panel, result: ResultData): WallDrawn {
  const several = winnersOf(panel, result);
  if (several) {
    const names = several.layout.sections.flatMap(({ slot, short = '' }) => {
      const name = several.winners[slot];
      return name === undefined ? [] : [{ name, group: short }];
    });
    return { names, side: '' };
  }
  const drawn = drawnOutcome(panel, result);
  const { drawno, label, color } = drawn ?? { drawno: '', label: '', color: null };
  // A card is its name; of what has a number and a name, the name stands beside.
  if ('suit' in result) return { names: [{ name: label, group: '' }], side: result.color };
  return { names: [{ name: drawno, group: '' }], side: label === drawno ? (color ?? '') : label };
}
