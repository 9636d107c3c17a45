import type { KeyboardEvent } from 'react';
import { arrowTargetAmong } from './gridKeys.ts';

/** Target index for a key; null if none. */
export type KeyTarget = (key: string, index: number, cells: readonly HTMLElement[]) => number | null;

export function moveFocus(event: KeyboardEvent<HTMLElement>, targetOf: KeyTarget): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
  const index = cells.indexOf(document.activeElement as HTMLElement);
  const target = index < 0 ? null : targetOf(event.key, index, cells);
  if (target === null) return;
  event.preventDefault();
  cells[target]?.focus();
}

export const targetAsTheyLie: KeyTarget = (key, index, cells) =>
  arrowTargetAmong(
    key,
    index,
    cells.map((cell) => cell.getBoundingClientRect()),
  );
