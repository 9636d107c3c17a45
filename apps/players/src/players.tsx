import { PLAYERS_BUILD_HEADER } from '@drawhouse/contract/core/route';
import { language } from '@drawhouse/session/language';
import { claimAutoReload, noteBuild } from '@drawhouse/session/newer-build';
import { richText } from '@drawhouse/session/rich-text';
import { watchServer, pingServer } from '@drawhouse/session/server-reach';
import {
  StrictMode,
  Suspense,
  useEffect,
  lazy,
  Component,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';
import { createRoot } from 'react-dom/client';
import './look.css';
import { currentAddress, go, leaveTo, useAddress } from './lib/navigation.ts';
import { matchPath, type PageProps } from './lib/matchPath.ts';
import { getSessionEnd, useSession } from './lib/session/playerSession.ts';
import { Shell } from './shell/Shell.tsx';
import { registerWorker } from './shell/workerUpdate.ts';
import { showToast } from './lib/toast.ts';
import { Page, PageHeading, Skeleton } from './ui/Page.tsx';
import { Button } from './ui/Button.tsx';
import { shellTexts as texts } from './shell/shellTexts.ts';

watchServer(window, (headers) => noteBuild(document, headers.get(PLAYERS_BUILD_HEADER)));

document.documentElement.lang = language;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <PlayersApp />
  </StrictMode>,
);

function PlayersApp() {
  const { pathname, search } = useAddress();
  const session = useSession();
  const { Page: Shown, params, isPublic = false } = pageAt(pathname);
  const isStaff = session !== null && session.role !== 'user';
  const isShown = isPublic || (session !== null && !isStaff);
  useEffect(() => registerWorker(), []);
  useEffect(() => {
    // The address may have changed since rendering, e.g. after sign-out.
    if (isShown || pageAt(currentAddress().pathname).isPublic) return;
    if (isStaff) leaveTo(`/${session.role}/dashboard`);
    else go(signInPath(), { replace: true });
  }, [isShown, isStaff, session?.role]);
  return (
    <Shell>
      {/* The old page stays visible until the next is ready. */}
      <Suspense fallback={<PageLoading />}>
        <PlayersBoundary key={pathname}>
          {isShown ? <Shown params={params} search={new URLSearchParams(search)} /> : <PageLoading />}
        </PlayersBoundary>
      </Suspense>
    </Shell>
  );
}

/** Returns to the requested page after sign-in, except after a sign-out, when another person may follow. */
function signInPath(): string {
  const { pathname, search } = currentAddress();
  if (pathname === '/' || getSessionEnd() === 'signed-out') return '/auth/login';
  return `/auth/login?${new URLSearchParams({ back: pathname + search }).toString()}`;
}

interface PageRow {
  readonly path: string;
  readonly isPublic?: boolean;
  readonly Page: ComponentType<PageProps> | LazyExoticComponent<ComponentType<PageProps>>;
}

function page(load: () => Promise<ComponentType<PageProps>>): PageRow['Page'] {
  return lazy(async () => ({ default: await load() }));
}

function ToSignIn(): null {
  useEffect(() => go(`/sign-in${currentAddress().search}`, { replace: true }), []);
  return null;
}

function ToGames(): null {
  useEffect(() => {
    showToast(texts.notFound);
    go('/', { replace: true });
  }, []);
  return null;
}

const PAGES: readonly PageRow[] = [
  { path: '/', Page: page(async () => (await import('./lobby/LobbyPage.tsx')).LobbyPage) },
  {
    path: '/welcome',
    isPublic: true,
    Page: page(async () => (await import('./welcome/WelcomePage.tsx')).WelcomePage),
  },
  {
    path: '/auth/login',
    isPublic: true,
    Page: ToSignIn,
  },
  {
    path: '/sign-in',
    isPublic: true,
    Page: page(async () => (await import('./sign-in/PlayerSignInPage.tsx')).PlayerSignInPage),
  },
  {
    path: '/help',
    isPublic: true,
    Page: page(async () => (await import('./house/HousePages.tsx')).HelpPage),
  },
  {
    path: '/terms',
    isPublic: true,
    Page: page(async () => (await import('./house/HousePages.tsx')).TermsPage),
  },
  { path: '/play/:gameId', Page: page(async () => (await import('./play/PlayPage.tsx')).PlayPage) },
  {
    path: '/results/:gameId',
    Page: page(async () => (await import('./lobby/results/ResultsPage.tsx')).ResultsPage),
  },
  { path: '/play/:gameId/rules', Page: page(async () => (await import('./play/rules/RulesPage.tsx')).RulesPage) },
  { path: '/mine/bets', Page: page(async () => (await import('./account/bets/MyBetsPage.tsx')).MyBetsPage) },
  { path: '/mine/bets/:ticketId', Page: page(async () => (await import('./account/ticket/MyBetPage.tsx')).MyBetPage) },
  {
    path: '/mine/statement',
    Page: page(async () => (await import('./account/statement/MyStatementPage.tsx')).MyStatementPage),
  },
  { path: '/mine/limits', Page: page(async () => (await import('./account/limits/MyLimitsPage.tsx')).MyLimitsPage) },
  {
    path: '/mine/account',
    Page: page(async () => (await import('./account/security/MyAccountPage.tsx')).MyAccountPage),
  },
];
const UNKNOWN: PageRow = {
  path: '',
  isPublic: true,
  Page: ToGames,
};

function pageAt(path: string): PageRow & { readonly params: PageProps['params'] } {
  for (const row of PAGES) {
    const params = matchPath(row.path, path);
    if (params) return { ...row, params };
  }
  return { ...UNKNOWN, params: {} };
}

function PageLoading() {
  return (
    <Page>
      <Skeleton heights={[120, 320]} />
    </Page>
  );
}

/** Shows a failure. If a chunk failed to load, e.g. after an update, reloads once. */
class PlayersBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    // Messages of browsers and of Vite's CSS preload.
    if (!(error instanceof Error && /import|preload css/i.test(error.message))) return;
    if (!claimAutoReload(sessionStorage, Date.now())) return;
    // If offline, this message beats the browser's error page.
    void pingServer().then((isThere) => isThere && location.reload());
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page isNarrow>
        <PageHeading title={texts.broken.title} />
        <p>{richText(texts.broken.help, { bets: <strong>{texts.broken.bets}</strong> })}</p>
        <Button kind="main" onClick={() => location.reload()}>
          {texts.broken.reload}
        </Button>
        {/* Full page loads, since client state may be broken. */}
        <a href="/mine/bets">{texts.broken.bets}</a>
        <a href="/">{texts.broken.games}</a>
      </Page>
    );
  }
}
