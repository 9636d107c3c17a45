import { END } from '@drawhouse/contract/core/list';
import { DEFAULT_PAGE_SIZE, firstNumberOf, sortOf, type ListChange, type UrlList, type ListState } from './listUrl.ts';

export interface PagingLinks {
  readonly descending: boolean;
  readonly first: ListChange | null;
  readonly back: ListChange | null;
  readonly next: ListChange | null;
  readonly last: ListChange | null;
}

export function pagingLinks(
  list: UrlList,
  state: ListState,
  { rows, total, totalIsMore, older, newer }: KeysetAnswer,
): PagingLinks {
  const { desc } = sortOf(state['sort'] ?? list.order);
  const [behind, beyond] = desc ? [newer, older] : [older, newer];
  const [back, next] = desc ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const pageSize = Number(state['pageSize'] ?? DEFAULT_PAGE_SIZE);
  const number = firstNumberOf(state, behind);
  const from = (no: number | null): ListChange => (no === null ? {} : { no: Math.max(1, no) });
  return {
    descending: desc,
    first: behind === null ? null : {},
    back: behind === null ? null : { [back]: behind, ...from(number && number - pageSize) },
    next: beyond === null ? null : { [next]: beyond, ...from(number && number + rows) },
    last: beyond === null ? null : { [back]: END, ...from(totalIsMore ? null : total - pageSize + 1) },
  };
}

interface KeysetAnswer {
  readonly rows: number;
  readonly total: number;
  readonly totalIsMore: boolean;
  readonly older: string | null;
  readonly newer: string | null;
}
