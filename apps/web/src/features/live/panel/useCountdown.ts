import { useState, useSyncExternalStore } from 'react';
import { secondsUntil } from '../drawClock.ts';
import { useServerClock } from '../useServerClock.ts';

const EVENTS = ['focus', 'blur'] as const;

function subscribe(onChange: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, onChange);
  document.addEventListener('fullscreenchange', onChange);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, onChange);
    document.removeEventListener('fullscreenchange', onChange);
  };
}

/** Whether the window is not the one in use. What fills a screen is looked at all the same. */
function isPaused(): boolean {
  return !document.hasFocus() && document.fullscreenElement === null;
}

/**
 * Whole seconds until an instant of the server's clock. It pauses while the window is not in use, and goes on with the right time (section
 * 4 of the games specification); another instant begins at its own seconds meanwhile.
 */
export function useCountdown(to: string, offset: number): number {
  const paused = useSyncExternalStore(subscribe, isPaused);
  const seconds = useServerClock(offset, (now) => secondsUntil(to, now));
  const [held, setHeld] = useState({ to, seconds });
  if (held.to === to && (paused || held.seconds === seconds)) return held.seconds;
  setHeld({ to, seconds });
  return seconds;
}
