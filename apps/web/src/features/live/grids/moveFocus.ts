import type { KeyboardEvent } from 'react';
import { arrowTargetAmong } from './gridKeys.ts';

/** Where a key leads from one of several elements to another of them, by their index; null where it leads nowhere. */
export type KeyTarget = (key: string, index: number, cells: readonly HTMLElement[]) => number | null;

/** Moves the focus from one outcome of a grid to another where a key leads there. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, targetOf: KeyTarget): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
  const index = cells.indexOf(document.activeElement as HTMLElement);
  const target = index < 0 ? null : targetOf(event.key, index, cells);
  if (target === null) return;
  event.preventDefault();
  cells[target]?.focus();
}

/** The arrows lead to what lies in their direction. */
export const targetAsTheyLie: KeyTarget = (key, index, cells) =>
  arrowTargetAmong(
    key,
    index,
    cells.map((cell) => cell.getBoundingClientRect()),
  );
