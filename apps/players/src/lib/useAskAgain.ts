import { useEffect } from 'react';

/** While `isBehind`, asks immediately, then every `everyMs`. */
export function useAskAgain(isBehind: boolean, ask: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isBehind) return;
    ask();
    const timer = setInterval(ask, everyMs);
    return () => clearInterval(timer);
  }, [isBehind, ask, everyMs]);
}
