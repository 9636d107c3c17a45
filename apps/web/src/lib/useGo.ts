import { createContext, useContext } from 'react';

/** Ways to another page of this app, by its path. */
export interface Go {
  to: (path: string) => void;
  /** The same without a step in the history: for what a page keeps in its URL. */
  replace: (path: string) => void;
  /** One page back; where there is none, to the path given. */
  back: (otherwise: string) => void;
}

/** Whoever shows pages says here how another is reached: the router, or what stands in for it while nobody is signed in. */
export const GoContext = createContext<Go | null>(null);

/** Leads to other pages by their paths, which are data here. */
export function useGo(): Go {
  const go = useContext(GoContext);
  if (!go) throw new Error('useGo needs a GoContext around it');
  return go;
}
