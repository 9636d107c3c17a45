import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useConnectionLost } from '../lib/useConnection.ts';
import { useNewRelease } from './useNewRelease.ts';
import type { PageWatch } from './useNewRelease.ts';
import classes from './PageBanner.module.css';

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
