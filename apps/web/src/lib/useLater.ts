import { useEffect, useState } from 'react';

/** True once the component has been mounted for `afterMs`. Delays content that need not come with the page. */
export function useLater(afterMs: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLater;
}
