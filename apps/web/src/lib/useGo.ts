import { createContext, useContext } from 'react';

export interface Go {
  to: (path: string) => void;
  /** Adds no history entry: for state in the URL. */
  replace: (path: string) => void;
  /** Falls back to `otherwise` without a previous page. */
  back: (otherwise: string) => void;
}

/** Supplied by the router, or by a substitute while signed out. */
export const GoContext = createContext<Go | null>(null);

export function useGo(): Go {
  const go = useContext(GoContext);
  if (!go) throw new Error('useGo needs a GoContext around it');
  return go;
}
