import { sortOf, type ListState, type UrlList } from './listUrl.ts';

export interface ReadAll<Row = unknown> {
  readonly most: number;
  /** Rows to return; all without it. */
  readonly isWanted?: (row: Row) => boolean;
  readonly signal: AbortSignal;
}

type PageQuery = Readonly<Record<string, string>>;

/** The largest page that calls answer. */
const PAGE_SIZE = 500;

/** Rows that move between pages meanwhile may repeat or be missing. */
export async function readAllPages<Row>(
  list: UrlList & { readonly rowsKey: string },
  state: ListState,
  { most, signal, isWanted = () => true }: ReadAll<Row>,
  readPage: (query: PageQuery, signal: AbortSignal) => Promise<unknown>,
): Promise<Row[]> {
  const { desc } = sortOf(state['sort'] ?? list.order);
  const rows: Row[] = [];
  let count = 0;
  let next: PageQuery | null = list.paging === 'pages' ? { page: '1' } : {};
  for (let page = 2; next !== null && rows.length < most; page += 1) {
    const answer = (await readPage({ ...next, pageSize: String(PAGE_SIZE) }, signal)) as Record<string, unknown>;
    const read = answer[list.rowsKey] as Row[];
    rows.push(...read.filter(isWanted));
    count += read.length;
    if (list.paging === 'pages')
      next = count < Number(answer['total']) && read.length > 0 ? { page: String(page) } : null;
    else {
      const cursor = answer[desc ? 'older' : 'newer'] as string | null;
      next = cursor === null ? null : { [desc ? 'before' : 'after']: cursor };
    }
  }
  return rows.slice(0, most);
}
