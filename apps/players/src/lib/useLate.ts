import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { useReachable } from './useReachable.ts';

/** A part of a page whose code is fetched once it is wanted; null until it is there. What could not be fetched is fetched when the connection is back. */
export function useLate<P>(isWanted: boolean, load: () => Promise<ComponentType<P>>): ComponentType<P> | null {
  const [part, setPart] = useState<ComponentType<P> | null>(null);
  const isReachable = useReachable();
  useEffect(() => {
    if (isWanted && isReachable)
      load().then(
        (come) => setPart(() => come),
        () => undefined,
      );
  }, [isWanted, isReachable, load]);
  return part;
}
