import { useEffect, useState } from 'react';
import { useReachable } from './useReachable.ts';

/** What could not be fetched is fetched again after this. */
const AGAIN_MS = 5000;

/** A part of a page, such as a component, whose code is fetched once it is wanted; null until it is there. What could not be fetched is fetched again, and when the connection is back. */
export function useLate<Part>(isWanted: boolean, load: () => Promise<Part>): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const [tries, setTries] = useState(0);
  const isReachable = useReachable();
  useEffect(() => {
    if (!isWanted || !isReachable) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (come) => setPart(() => come),
      () => (timer = setTimeout(() => setTries(tries + 1), AGAIN_MS)),
    );
    return () => clearTimeout(timer);
  }, [isWanted, isReachable, load, tries]);
  return part;
}
