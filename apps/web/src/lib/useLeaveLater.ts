import { useCallback, useEffect, useRef } from 'react';
import { LEAVE_AFTER_MS } from '../firstTexts.ts';

/** Leaves the page a second from now, so that its message is read; not any more once the user has left by themselves. */
export function useLeaveLater(): (leave: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback((leave) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(leave, LEAVE_AFTER_MS);
  }, []);
}
