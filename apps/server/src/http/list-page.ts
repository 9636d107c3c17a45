/** A list that is asked for with nothing at all answers so many rows (the API notes). */
const WHOLE_LIST_ROWS = 10_000;
/** Of any other list a page has so many, unless the query says how many. */
const PAGE_ROWS = 25;

/** The query of a list, each part undefined where it is left out. */
interface ListQuery {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  /** Its order, search and filters. */
  readonly [narrowed: string]: unknown;
}

/** Which rows of a list a query asks for: the whole of it where it names no page, order, search or filter, else one page. */
export function listPage(query: ListQuery): { limit: number; offset: number } {
  const isWhole = Object.values(query).every((value) => value === undefined);
  const limit = query.pageSize ?? (isWhole ? WHOLE_LIST_ROWS : PAGE_ROWS);
  return { limit, offset: ((query.page ?? 1) - 1) * limit };
}
