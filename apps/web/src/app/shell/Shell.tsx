import { house } from '@drawhouse/session/house';
import { usePathname } from '../../lib/navigation.ts';
import { useMediaQuery } from '@mantine/hooks';
import { memo, useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react';
import { sessionFetchFailure, sessionFetchPause } from '@drawhouse/session/session-end';
import { ApiError } from '@drawhouse/session/api-client';
import { firstTexts } from '../../firstTexts.ts';
import { errorMessage } from '../../lib/server/api.ts';
import { useSession } from '../../lib/session/session.ts';
import { Sheet } from '../../ui/dialog/Dialog.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { LoadingOverlay } from '../../ui/page/Loading.tsx';
import { usePrint } from '../../ui/print/print.ts';
import { Brand, TopBar } from './TopBar.tsx';
import { CommandDialogs, useCommands } from '../Commands.tsx';
import { foldMenu, useMenuFolded, Sidebar } from './Sidebar.tsx';
import classes from './Shell.module.css';
import { ownTimeZone } from '../../lib/format/format.ts';
import { ServerDaysNote } from '../../ui/page/Notes.tsx';
import { IconClockPause } from '@tabler/icons-react';
import { useRestoring, refreshSession } from '../../lib/session/sessionCalls.ts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { noteBalance } from '../../lib/server/useBalance.ts';
import { shellTexts } from './shellTexts.ts';

const FOLD_QUERY = '(max-width: 900px)';

export function Shell({ children }: { children: ReactNode }) {
  const session = useSession();
  const load = useSessionLoad();
  const narrow = useMediaQuery(FOLD_QUERY, undefined, { getInitialValueInEffect: false }) ?? false;
  const folded = useMenuFolded();
  const pathname = usePathname();
  const main = useRef<HTMLElement>(null);
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const commands = useCommands(main);
  const print = usePrint();
  useFocusOnArrival(main, pathname);
  useFocusRecovery(main);

  if (!session) return null;
  if (!session.user) {
    return (
      <main className={classes.waiting}>
        <title>{house.name}</title>
        {load.failureReason ? (
          <ErrorState message={sessionTrouble(load.failureReason)} onRetry={() => void load.refetch()} />
        ) : (
          <LoadingOverlay visible label={shellTexts.loadingYourSession} />
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
        {shellTexts.skipContent}
      </a>
      {!narrow && !folded && (
        <aside className={classes.side} aria-label={shellTexts.sidebar}>
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
          {print && <print.PrintedHead />}
          {children}
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
        <MenuBody />
      </Sheet>
      <CommandDialogs {...commands} />
    </div>
  );
}

/** Renders after the sheet has appeared, which answers the touch. */
const MenuBody = memo(function MenuBody() {
  const hasAppeared = useDeferredValue(true, false);
  return (
    hasAppeared && (
      <>
        <Sidebar />
        <Footer />
      </>
    )
  );
});

function sessionTrouble(error: Error): string {
  const isUnanswered = error instanceof ApiError && sessionFetchFailure(error.status) === 'unanswered';
  return isUnanswered ? firstTexts.errors.noConnection : errorMessage(error);
}

/** Also after a sign-in, whose form had the focus. A loaded page starts at the top, with the link that skips the menu. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }, pathname: string) {
  const known = useRef(loadedPath());
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [main, pathname]);
}

function loadedPath(): string {
  const [load] = performance.getEntriesByType('navigation');
  return new URL(load?.name ?? location.href).pathname;
}

function Footer() {
  return (
    <footer className={classes.footer}>
      <span>{house.name}</span>
      <span>{shellTexts.timesIn(ownTimeZone().replaceAll('_', ' '))}</span>
      <ServerDaysNote />
    </footer>
  );
}

/** Takes its own space, because a restore may last minutes. */
function RestoreStrip() {
  const restoring = useRestoring();
  return (
    <output>
      {restoring && (
        <span className={classes.strip}>
          <IconClockPause size={18} aria-hidden />
          {shellTexts.restoreIsRunningBetting}
        </span>
      )}
    </output>
  );
}

function useSessionLoad(): UseQueryResult<unknown> {
  const token = useSession()?.token;
  return useQuery({
    queryKey: ['session', token],
    queryFn: async ({ signal, client }) => {
      const answer = await refreshSession(signal);
      noteBalance(client, answer.user);
      return answer;
    },
    enabled: token !== undefined,
    refetchOnWindowFocus: false,
    // Retries every failure that does not end the session.
    retry: (_, error) => !(error instanceof ApiError) || sessionFetchFailure(error.status) !== 'ended',
    retryDelay: (failures) => sessionFetchPause(failures + 1),
  });
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';
const RETURN_MS = 50;

/**
 * When the focused element disappears or is disabled, browsers focus the body. This focuses the dialog, the page's table,
 * or the page, and an element that is enabled again.
 */
function useFocusRecovery(main: { readonly current: HTMLElement | null }) {
  useEffect(() => {
    let last: Element | null = null;
    let dialog: HTMLElement | null = null;
    const note = () => {
      last = document.activeElement;
      dialog = last?.closest<HTMLElement>(DIALOG) ?? null;
    };
    // A click on empty space drops the focus on purpose.
    const letGo = () => {
      if (document.activeElement === document.body) last = null;
    };
    const isLost = () =>
      last !== null &&
      !last.isConnected &&
      document.activeElement === document.body &&
      (document.querySelector(DIALOG) === null || dialog?.isConnected === true);
    const restore = () => {
      if (!isLost()) return;
      last = null;
      const table = main.current?.querySelector('table')?.closest<HTMLElement>('[tabindex]');
      const kept = dialog?.isConnected ? dialog : (table ?? main.current);
      kept?.focus({ preventScroll: true });
    };
    const isFree = () => last !== null && last.isConnected && document.activeElement === document.body;
    const changes = new MutationObserver((records) => {
      if (isLost()) setTimeout(restore, RETURN_MS);
      const isEnabled = records.some(({ type, target }) => type === 'attributes' && target === last);
      if (isEnabled && isFree())
        setTimeout(() => isFree() && (last as HTMLElement).focus({ preventScroll: true }), RETURN_MS);
    });
    document.addEventListener('focusin', note);
    document.addEventListener('click', letGo, true);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('click', letGo, true);
      changes.disconnect();
    };
  }, [main]);
}
