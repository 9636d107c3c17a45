import { useEffect, useState } from 'react';
import { useReachable } from '@drawhouse/session/server-reach';

const AGAIN_MS = 5000;

/** Retries after failures and reconnects. */
export function useLazyModule<Part>(isWanted: boolean, load: () => Promise<Part>): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const [tries, setTries] = useState(0);
  const isReachable = useReachable();
  useEffect(() => {
    if (!isWanted || !isReachable) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (loaded) => setPart(() => loaded),
      () => (timer = setTimeout(() => setTries(tries + 1), AGAIN_MS)),
    );
    return () => clearTimeout(timer);
  }, [isWanted, isReachable, load, tries]);
  return part;
}
