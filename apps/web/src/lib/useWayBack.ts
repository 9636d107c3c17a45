import { useEffect, useRef } from 'react';
import { LEAVE_AFTER_MS } from '../firstTexts.ts';
import { useGo } from './useGo.ts';

/** The way back from a form: one page, or where there is none, to a path. */
interface WayBack {
  readonly back: () => void;
  /** A second from now, so that a message is read; not any more once the user has left by themselves. */
  readonly backLater: () => void;
}

/** Leads back from a form; `otherwise` is the path that it goes to where there is no page to go back to. */
export function useWayBack(otherwise: string): WayBack {
  const go = useGo();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const back = () => go.back(otherwise);
  const backLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(back, LEAVE_AFTER_MS);
  };
  return { back, backLater };
}
