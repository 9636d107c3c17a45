import { useCallback, useEffect, useState } from 'react';
import { readingMs } from './readingTime.ts';
import { MESSAGE_MS } from '../firstTexts.ts';

/** Clears after the spec's time, but never before it can be read. Returns the message and its setter. */
export function useTimedMessage(): [message: string | null, show: (message: string | null) => void] {
  const [shown, setShown] = useState<{ message: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), readingMs(shown.message, MESSAGE_MS.usual));
    return () => clearTimeout(timer);
  }, [shown]);
  const show = useCallback((message: string | null) => setShown(message === null ? null : { message }), []);
  return [shown?.message ?? null, show];
}
