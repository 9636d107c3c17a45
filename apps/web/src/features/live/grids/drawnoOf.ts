import type { SyntheticEvent } from 'react';

/** Null outside the cells. */
export const drawnoOf = ({ target }: SyntheticEvent): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-drawno]')?.dataset['drawno'] ?? null) : null;
