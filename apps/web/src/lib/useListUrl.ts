import { useRouterState } from '@tanstack/react-router';
import { useCallback } from 'react';
import { listSearchParts } from './listSearch.ts';
import type { ListSearch } from './listSearch.ts';
import { withSearch } from './paths.ts';
import { useGo } from './useGo.ts';

/** Changes what a list keeps in its URL. Whatever changes but the page leads back to the first page. */
export function useListUrl(search: ListSearch): (change: Partial<ListSearch>) => void {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const go = useGo();
  return useCallback(
    (change) => go.replace(withSearch(pathname, listSearchParts({ ...search, page: 1, ...change }))),
    [go, pathname, search],
  );
}
