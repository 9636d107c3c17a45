import { useEffect, useRef } from 'react';
import { LEAVE_AFTER_MS } from '../firstTexts.ts';
import { useGo } from './useGo.ts';

interface WayBack {
  readonly back: () => void;
  /** Waits a second so that the message can be read. Canceled if the user leaves first. */
  readonly backLater: () => void;
}

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
