import { useCallback, useEffect, useState } from 'react';
import { MESSAGE_MS } from './liveMessages.ts';

/** A message that clears by itself after 2 s: the message, how to show one, and how to clear it sooner. */
export function useTimedMessage(): [message: string | null, show: (message: string | null) => void] {
  const [shown, setShown] = useState<{ message: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const show = useCallback((message: string | null) => setShown(message === null ? null : { message }), []);
  return [shown?.message ?? null, show];
}
