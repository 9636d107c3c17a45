/** What a page is given: the values of its address, such as `gameId` of `/play/:gameId`, and what is asked of it. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
}
