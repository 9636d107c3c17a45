import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import classes from './PageBanner.module.css';
import { useIsMutating } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { newerBuild } from '@drawhouse/session/newer-build';
import { useReachable } from '@drawhouse/session/server-reach';
import { hasUnsaved } from '../../lib/navigation.ts';

const NO_ROUTER: PageWatch = { subscribe: () => () => undefined };

/** Reports a lost connection or a new version on every page. An overlay, so content does not jump. */
export function PageBanner({ router = NO_ROUTER }: { router?: PageWatch }) {
  const lost = !useReachable();
  const release = useNewRelease(router);
  return (
    <div className={classes.banner}>
      <output>
        {lost && (
          <span className={classes.message} data-tone="trouble">
            <IconPlugConnectedX size={18} aria-hidden />
            <span>
              <strong>No connection.</strong> Figures may be out of date. We’ll reconnect automatically.
            </span>
          </span>
        )}
        {release.isNew && !lost && (
          <span className={classes.message}>
            <IconRefresh size={18} aria-hidden />
            <span>
              <strong>New version available.</strong>{' '}
              {release.isHeld ? 'Finish what you started, then load it.' : 'It loads with the next page.'}
            </span>
            <Button size="xs" variant="default" onClick={() => window.location.reload()}>
              Load now
            </Button>
          </span>
        )}
      </output>
    </div>
  );
}

const IDLE_MS = 30_000;
/** Stores the build that this tab has already reloaded for: a second attempt would not help either. */
const TRIED_KEY = 'release-tried';

type PageWatch = Pick<AnyRouter, 'subscribe'>;

interface NewRelease {
  readonly isNew: boolean;
  readonly isHeld: boolean;
}

/** Reloads when nothing is unsaved: on navigation, when hidden, or when idle. */
function useNewRelease(router: PageWatch): NewRelease {
  const build = newerBuild.useValue();
  const isBusy = useIsMutating() > 0;

  useEffect(() => {
    if (build === null || sessionStorage.getItem(TRIED_KEY) === build) return;
    const load = () => {
      if (isBusy || hasUnsaved() || document.querySelector('[role="dialog"]')) return;
      sessionStorage.setItem(TRIED_KEY, build);
      window.location.reload();
    };
    // Repeats, because unsaved input may have been saved since.
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
