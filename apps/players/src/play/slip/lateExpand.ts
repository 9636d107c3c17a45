import type { expand } from '@drawhouse/rules/expand';
import { useState } from 'react';
import { useLate } from '../../lib/useLate.ts';

/** What reads the text of bets. */
export type Expand = typeof expand;

let known: Expand | null = null;

/** What reads the text of bets, fetched with the first touch of a board: so the board is there the sooner. Rejects where it can't be fetched. */
export async function fetchExpand(): Promise<Expand> {
  known ??= (await import('@drawhouse/rules/expand')).expand;
  return known;
}

/** The same for what is read while it is typed: null until it is wanted and there; and what says that it is wanted. */
export function useExpand(): readonly [expand: Expand | null, want: () => void] {
  const [isWanted, setWanted] = useState(false);
  useLate(isWanted, fetchExpand);
  return [known, () => setWanted(true)];
}
