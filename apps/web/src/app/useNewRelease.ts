import { useIsMutating } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { getNewerBuild, onNewerBuild } from '@drawhouse/session/newer-build';
import { hasUnsaved } from '../lib/unsaved.ts';

/** A page that nobody touches for so long is loaded anew by itself. */
const IDLE_MS = 30_000;
/** Names the build that this tab was loaded anew for: where that did not bring it, a second time would not either. */
const TRIED_KEY = 'release-tried';

/** What tells that another page is shown: the router, where there is one. */
export type PageWatch = Pick<AnyRouter, 'subscribe'>;

/** Whether the server has a newer web app than this page, and whether something here would be lost by loading it. */
export interface NewRelease {
  readonly isNew: boolean;
  readonly isHeld: boolean;
}

/** Loads the page anew where nothing is lost by it: with the next page, when it is not looked at, or when nobody touches it. */
export function useNewRelease(router: PageWatch): NewRelease {
  const build = useSyncExternalStore(onNewerBuild, getNewerBuild);
  const isBusy = useIsMutating() > 0;

  useEffect(() => {
    if (build === null || sessionStorage.getItem(TRIED_KEY) === build) return;
    const load = () => {
      if (isBusy || hasUnsaved() || document.querySelector('[role="dialog"]')) return;
      sessionStorage.setItem(TRIED_KEY, build);
      window.location.reload();
    };
    // Again and again: what would have been lost at first may have been saved or taken back since.
    let timer = setInterval(load, IDLE_MS);
    const touched = () => {
      clearInterval(timer);
      timer = setInterval(load, IDLE_MS);
    };
    const hidden = () => {
      if (document.hidden) load();
    };
    const left = router.subscribe('onResolved', ({ pathChanged }) => {
      if (pathChanged) load();
    });
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, touched);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      clearInterval(timer);
      left();
      for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, touched);
      document.removeEventListener('visibilitychange', hidden);
    };
  }, [build, isBusy, router]);

  return { isNew: build !== null, isHeld: isBusy || hasUnsaved() };
}
