import type { expand } from '@drawhouse/rules/expand';
import { useEffect, useState } from 'react';
import { useReachable } from '../../lib/reachable.ts';

/** What reads the text of bets. */
export type Expand = typeof expand;

let known: Expand | null = null;

/** What reads the text of bets, fetched with the first touch of a board: so the board is there the sooner. Rejects where it can't be fetched. */
export async function fetchExpand(): Promise<Expand> {
  known ??= (await import('@drawhouse/rules/expand')).expand;
  return known;
}

/** The same for what is read while it is typed; null until it is wanted and there. */
export function useExpand(isWanted: boolean): Expand | null {
  const [, setIsThere] = useState(known !== null);
  const isReachable = useReachable();
  useEffect(() => {
    if (isWanted && isReachable)
      fetchExpand().then(
        () => setIsThere(true),
        () => undefined,
      );
  }, [isWanted, isReachable]);
  return known;
}
