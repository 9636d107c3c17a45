import { lazy } from 'react';
import type { FunctionComponent, LazyExoticComponent } from 'react';

/** Something that a page has beside what it is for: loaded when it is shown first, and where it can't be fetched, not shown. */
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
