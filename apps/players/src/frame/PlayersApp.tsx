import { Suspense, useEffect } from 'react';
import { currentAddress, go, leaveTo, useAddress } from '../lib/navigation.ts';
import { getSessionEnd, useSession } from '../lib/playerSession.ts';
import { PlayersBoundary } from './PlayersBoundary.tsx';
import { PageFrame } from './PageFrame.tsx';
import { PageLoading } from './PageLoading.tsx';
import { pageAt } from './pages.ts';
import { registerWorker } from './workerUpdate.ts';

/** The whole client: the frame, and in it the page that the address means. */
export function PlayersApp() {
  const { path, search } = useAddress();
  const session = useSession();
  const { Page, params, isPublic = false } = pageAt(path);
  const isStaff = session !== null && session.role !== 'user';
  const isShown = isPublic || (session !== null && !isStaff);
  useEffect(() => registerWorker(), []);
  useEffect(() => {
    // The address may have moved on since this was rendered, as by signing out.
    if (isShown || pageAt(currentAddress().path).isPublic) return;
    // The back-office is another app on the same server.
    if (isStaff) leaveTo(`/${session.role}/dashboard`);
    else go(signInPath(), { replace: true });
  }, [isShown, isStaff, session?.role]);
  return (
    <PageFrame>
      {/* Outside of what is another one for each page: so the page before stays until the next can be shown. */}
      <Suspense fallback={<PageLoading />}>
        <PlayersBoundary key={path}>
          {isShown ? <Page params={params} search={new URLSearchParams(search)} /> : <PageLoading />}
        </PlayersBoundary>
      </Suspense>
    </PageFrame>
  );
}

/** The sign-in, which leads back to where somebody wanted to go; not after signing out, when the next one may be somebody else. */
function signInPath(): string {
  const { path, search } = currentAddress();
  if (path === '/' || getSessionEnd() === 'signed-out') return '/auth/login';
  return `/auth/login?${new URLSearchParams({ back: path + search }).toString()}`;
}
