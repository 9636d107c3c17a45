import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sessionFetchFailure } from '@drawhouse/session/session-fetch';
import { ApiError } from '@drawhouse/session/api-client';
import { firstTexts } from '../firstTexts.ts';
import { errorMessage } from '../lib/api.ts';
import { useSession } from '../lib/useSession.ts';
import { commonTexts } from '../commonTexts.ts';
import { Sheet } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';
import { Brand } from './Brand.tsx';
import { CommandDialogs, useCommands } from './Commands.tsx';
import { Footer } from './Footer.tsx';
import { foldMenu, useMenuFolded } from './menuFold.ts';
import { RestoreStrip } from './RestoreStrip.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useKeptFocus } from './useKeptFocus.ts';
import { useSessionLoad } from './useSessionLoad.ts';
import classes from './Shell.module.css';

/** At this width the sidebar folds into a drawer. */
const FOLD_QUERY = '(max-width: 900px)';

/** What stands around every page of the back-office: sidebar, top bar and footer. Pages wait for the session. */
export function Shell() {
  const session = useSession();
  const load = useSessionLoad();
  const narrow = useMediaQuery(FOLD_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const folded = useMenuFolded();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const commands = useCommands(main);
  useFocusOnArrival(main, pathname);
  useKeptFocus(main);

  if (!session) return null;
  if (!session.user) {
    return (
      <main className={classes.waiting}>
        <title>{commonTexts.product}</title>
        {load.failureReason ? (
          <ErrorState message={sessionTrouble(load.failureReason)} onRetry={() => void load.refetch()} />
        ) : (
          <LoadingOverlay visible label="Loading your session" />
        )}
      </main>
    );
  }

  return (
    <div className={classes.shell}>
      <a
        href="#content"
        className={classes.skip}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      {!narrow && !folded && (
        <aside className={classes.side} aria-label="Sidebar">
          <div className={classes.brand}>
            <Brand />
          </div>
          <Sidebar />
        </aside>
      )}
      <div className={classes.column}>
        <TopBar
          narrow={narrow}
          folded={folded}
          onMenu={() => (narrow ? setMenuAt(pathname) : foldMenu(!folded))}
          onSearch={() => commands.setOpen('palette')}
        />
        <RestoreStrip />
        <main id="content" ref={main} tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
        {!narrow && <Footer />}
      </div>
      <Sheet
        opened={narrow && menuAt === pathname}
        onClose={() => setMenuAt(null)}
        title={<Brand />}
        size={280}
        classNames={{ body: classes.drawerBody, content: classes.drawerContent }}
      >
        <Sidebar />
        <Footer />
      </Sheet>
      <CommandDialogs {...commands} />
    </div>
  );
}

/** Why the session is not known yet. It is asked for again by itself. */
function sessionTrouble(error: Error): string {
  const isUnanswered = error instanceof ApiError && sessionFetchFailure(error.status) === 'unanswered';
  return isUnanswered ? firstTexts.errors.noConnection : errorMessage(error);
}

/** A new page takes the focus, so that the keyboard and screen readers begin at its top. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }, pathname: string) {
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [main, pathname]);
}
