import { useCallback, useEffect, useState } from 'react';
import { MESSAGE_MS } from '../../firstTexts.ts';

/** About 220 words a minute, so no sentence outstays its time in the spec. */
const PER_CHARACTER_MS = 45;

/** Milliseconds: the spec's time, or longer if needed for reading. */
export function readingMs(text: string, atLeast: number): number {
  return Math.max(atLeast, text.length * PER_CHARACTER_MS);
}

/** Clears after the spec's time, but not before it can be read. */
export function useTimedMessage(
  atLeastMs: number = MESSAGE_MS.usual,
): [message: string | null, show: (message: string | null) => void] {
  const [shown, setShown] = useState<{ message: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), readingMs(shown.message, atLeastMs));
    return () => clearTimeout(timer);
  }, [shown, atLeastMs]);
  const show = useCallback((message: string | null) => setShown(message === null ? null : { message }), []);
  return [shown?.message ?? null, show];
}
