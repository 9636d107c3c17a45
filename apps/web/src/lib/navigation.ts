import { createContext, useContext, useEffect, useRef } from 'react';
import { LEAVE_AFTER_MS } from '../firstTexts.ts';

export interface Navigation {
  to: (path: string) => void;
  /** Adds no history entry: for state in the URL. */
  replace: (path: string) => void;
  /** Falls back to `otherwise` without a previous page. */
  back: (otherwise: string) => void;
}

/** Supplied by the router, or by a substitute while signed out. */
export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const go = useContext(NavigationContext);
  if (!go) throw new Error('useNavigation requires a NavigationContext around it');
  return go;
}

interface WayBack {
  readonly back: () => void;
  /** Waits a second so that the message can be read. Canceled if the user leaves first. */
  readonly backLater: () => void;
}

export function useWayBack(otherwise: string): WayBack {
  const go = useNavigation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const back = () => go.back(otherwise);
  const backLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(back, LEAVE_AFTER_MS);
  };
  return { back, backLater };
}

let unsavedForms = 0;

export function hasUnsaved(): boolean {
  return unsavedForms > 0;
}

export function useUnsavedInput(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [when]);
}
