import { Suspense, useEffect, lazy } from 'react';
import { currentAddress, go, leaveTo, useAddress } from '../lib/navigation.ts';
import { getSessionEnd, useSession } from '../lib/playerSession.ts';
import { PlayersBoundary } from './PlayersBoundary.tsx';
import { PageFrame } from './PageFrame.tsx';
import { PageLoading } from './PageLoading.tsx';
import { registerWorker } from './workerUpdate.ts';
import type { ComponentType, LazyExoticComponent } from 'react';
import { matchPath } from '../lib/matchPath.ts';
import type { PageProps } from '../lib/matchPath.ts';
import { showToast } from '../lib/toast.ts';

export function PlayersApp() {
  const { path, search } = useAddress();
  const session = useSession();
  const { Page, params, isPublic = false } = pageAt(path);
  const isStaff = session !== null && session.role !== 'user';
  const isShown = isPublic || (session !== null && !isStaff);
  useEffect(() => registerWorker(), []);
  useEffect(() => {
    // The address may have changed since rendering, e.g. after sign-out.
    if (isShown || pageAt(currentAddress().path).isPublic) return;
    if (isStaff) leaveTo(`/${session.role}/dashboard`);
    else go(signInPath(), { replace: true });
  }, [isShown, isStaff, session?.role]);
  return (
    <PageFrame>
      {/* Shared across pages, so the old page stays visible until the next is ready. */}
      <Suspense fallback={<PageLoading />}>
        <PlayersBoundary key={path}>
          {isShown ? <Page params={params} search={new URLSearchParams(search)} /> : <PageLoading />}
        </PlayersBoundary>
      </Suspense>
    </PageFrame>
  );
}

/** Returns to the requested page after sign-in, except after a sign-out, when another person may follow. */
function signInPath(): string {
  const { path, search } = currentAddress();
  if (path === '/' || getSessionEnd() === 'signed-out') return '/auth/login';
  return `/auth/login?${new URLSearchParams({ back: path + search }).toString()}`;
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
    showToast('Page not found. Check the address.');
    go('/', { replace: true });
  }, []);
  return null;
}

/** Other paths redirect to the games. */
const PAGES: readonly PageRow[] = [
  { path: '/', Page: page(async () => (await import('../lobby/LobbyPage.tsx')).LobbyPage) },
  {
    path: '/welcome',
    isPublic: true,
    Page: page(async () => (await import('../welcome/WelcomePage.tsx')).WelcomePage),
  },
  {
    path: '/auth/login',
    isPublic: true,
    Page: ToSignIn,
  },
  {
    path: '/sign-in',
    isPublic: true,
    Page: page(async () => (await import('../sign-in/PlayerSignInPage.tsx')).PlayerSignInPage),
  },
  { path: '/play/:gameId', Page: page(async () => (await import('../play/PlayPage.tsx')).PlayPage) },
  { path: '/mine/bets', Page: page(async () => (await import('../mine/MyBetsPage.tsx')).MyBetsPage) },
  { path: '/mine/bets/:ticketId', Page: page(async () => (await import('../mine/MyBetPage.tsx')).MyBetPage) },
  { path: '/mine/statement', Page: page(async () => (await import('../mine/MyStatementPage.tsx')).MyStatementPage) },
  { path: '/mine/limits', Page: page(async () => (await import('../mine/MyLimitsPage.tsx')).MyLimitsPage) },
  { path: '/mine/account', Page: page(async () => (await import('../mine/MyAccountPage.tsx')).MyAccountPage) },
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
