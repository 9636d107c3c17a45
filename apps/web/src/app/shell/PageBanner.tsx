import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import classes from './PageBanner.module.css';
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { newerBuild } from '@drawhouse/session/newer-build';
import { useReachable } from '@drawhouse/session/server-reach';
import { hasUnsaved, usePathname } from '../../lib/navigation.ts';
import { firstTexts } from '../../firstTexts.ts';

/** Lies over the page, so nothing moves. */
export function PageBanner() {
  const lost = !useReachable();
  const release = useNewRelease();
  return (
    <div className={classes.banner}>
      <output>
        {lost && (
          <span className={classes.message} data-tone="trouble">
            <IconPlugConnectedX size={18} aria-hidden />
            <span>
              <strong>{firstTexts.banner.noConnection}</strong> {firstTexts.banner.figuresMayBeOut}
            </span>
          </span>
        )}
        {release.isNew && !lost && (
          <span className={classes.message}>
            <IconRefresh size={18} aria-hidden />
            <span>
              <strong>{firstTexts.banner.newVersionAvailable}</strong>{' '}
              {release.isHeld ? firstTexts.banner.finishWhatYouStarted : firstTexts.banner.itLoadsWithNext}
            </span>
            <Button size="xs" variant="default" onClick={() => window.location.reload()}>
              {firstTexts.banner.loadNow}
            </Button>
          </span>
        )}
      </output>
    </div>
  );
}

const IDLE_MS = 30_000;
/** A second reload for the same build would not help. */
const TRIED_KEY = 'release-tried';

interface NewRelease {
  readonly isNew: boolean;
  readonly isHeld: boolean;
}

/** Reloads when nothing is unsaved: on navigation, when hidden, or when idle. */
function useNewRelease(): NewRelease {
  const build = newerBuild.useValue();
  const isBusy = useIsMutating() > 0;
  const pathname = usePathname();
  const shownPath = useRef(pathname);

  useEffect(() => {
    const hasMoved = shownPath.current !== pathname;
    shownPath.current = pathname;
    if (build === null || sessionStorage.getItem(TRIED_KEY) === build) return;
    const load = () => {
      if (isBusy || hasUnsaved() || document.querySelector('[role="dialog"]')) return;
      sessionStorage.setItem(TRIED_KEY, build);
      window.location.reload();
    };
    if (hasMoved) load();
    // Unsaved input may have been saved since.
    let timer = setInterval(load, IDLE_MS);
    const touched = () => {
      clearInterval(timer);
      timer = setInterval(load, IDLE_MS);
    };
    const hidden = () => {
      if (document.hidden) load();
    };
    for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, touched);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      clearInterval(timer);
      for (const event of ['pointerdown', 'keydown']) window.removeEventListener(event, touched);
      document.removeEventListener('visibilitychange', hidden);
    };
  }, [build, isBusy, pathname]);

  return { isNew: build !== null, isHeld: isBusy || hasUnsaved() };
}
