import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useConnectionLost } from '../lib/useConnection.ts';
import classes from './PageBanner.module.css';
import { useIsMutating } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { getNewerBuild, onNewerBuild } from '@drawhouse/session/newer-build';
import { hasUnsaved } from '../lib/unsaved.ts';

/** Where nothing is another page that could bring a new release with it. */
const NO_ROUTER: PageWatch = { subscribe: () => () => undefined };

/**
 * What every page says at once, above whatever it shows: that there is no connection, and that there is a new version. It lies over
 * the page, so that nothing jumps, and leaves what was shown.
 */
export function PageBanner({ router = NO_ROUTER }: { router?: PageWatch }) {
  const lost = useConnectionLost();
  const release = useNewRelease(router);
  return (
    <div className={classes.banner}>
      <output>
        {lost && (
          <span className={classes.message} data-tone="trouble">
            <IconPlugConnectedX size={18} aria-hidden />
            <span>
              <strong>No connection.</strong> What you see stays; it goes on by itself when the server can be reached.
            </span>
          </span>
        )}
        {release.isNew && !lost && (
          <span className={classes.message}>
            <IconRefresh size={18} aria-hidden />
            <span>
              <strong>There is a new version.</strong>{' '}
              {release.isHeld ? 'Finish what you have started, then load it.' : 'It is loaded with the next page.'}
            </span>
            <Button size="xs" variant="default" onClick={() => window.location.reload()}>
              Load it now
            </Button>
          </span>
        )}
      </output>
    </div>
  );
}

/** A page that nobody touches for so long is loaded anew by itself. */
const IDLE_MS = 30_000;
/** Names the build that this tab was loaded anew for: where that did not bring it, a second time would not either. */
const TRIED_KEY = 'release-tried';

/** What tells that another page is shown: the router, where there is one. */
type PageWatch = Pick<AnyRouter, 'subscribe'>;

/** Whether the server has a newer web app than this page, and whether something here would be lost by loading it. */
interface NewRelease {
  readonly isNew: boolean;
  readonly isHeld: boolean;
}

/** Loads the page anew where nothing is lost by it: with the next page, when it is not looked at, or when nobody touches it. */
function useNewRelease(router: PageWatch): NewRelease {
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
