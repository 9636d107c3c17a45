import { lazy } from 'react';
import type { FunctionComponent } from 'react';

/**
 * A page that is fetched when it is first shown, a chunk of its own. Not by the router's own way, which loads the whole app anew when
 * that fails: without a connection it would lead out of it. See `PageError`.
 */
export function lazyPage<Props>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  return lazy(async () => ({ default: await load() }));
}
