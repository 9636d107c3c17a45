import { lazy } from 'react';
import type { FunctionComponent } from 'react';

/**
 * Splits a page into its own chunk. Avoids the router's lazy loading, which reloads the app on failure and so would
 * leave it while offline. See `PageError`.
 */
export function lazyPage<Props>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  return lazy(async () => ({ default: await load() }));
}
