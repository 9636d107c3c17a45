import type { SyntheticEvent } from 'react';

/** The number of the cell that something happened in; null where it was beside the cells. */
export const drawnoOf = ({ target }: SyntheticEvent): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-drawno]')?.dataset['drawno'] ?? null) : null;
