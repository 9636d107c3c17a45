import { lazy } from 'react';
import type { FunctionComponent, LazyExoticComponent } from 'react';

/** Loads an optional component on first render. Renders nothing if loading fails. */
export function lazyExtra<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): LazyExoticComponent<FunctionComponent<Props>> {
  return lazy(() =>
    load().then(
      (Part) => ({ default: Part }),
      () => ({ default: () => null }),
    ),
  );
}
