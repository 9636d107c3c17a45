export interface Address {
  readonly pathname: string;
  readonly search: string;
}

/** Like Fastify's routing, ignores a trailing slash. */
export function readAddress({ pathname, search }: Address): Address {
  return { pathname: pathname.replace(/(?<=.)\/$/, ''), search };
}

/** Number of the history entry within this tab. */
export function entryOf(state: unknown): number {
  return (state as { readonly entry?: number } | null)?.entry ?? 0;
}
