import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Ways to another page of this app, by its path. */
export interface Go {
  to: (path: string) => void;
  /** The same without a step in the history: for what a page keeps in its URL. */
  replace: (path: string) => void;
  /** One page back; where there is none, to the path given. */
  back: (otherwise: string) => void;
}

/** Leads to other pages by their paths, which are data here. */
export function useGo(): Go {
  const router = useRouter();
  return useMemo(
    () => ({
      to: (path) => router.history.push(path),
      replace: (path) => router.history.replace(path),
      back: (otherwise) => (router.history.canGoBack() ? router.history.back() : router.history.replace(otherwise)),
    }),
    [router],
  );
}
