import { ROLES } from '@drawhouse/contract/core/roles';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { loadRules, SignInPage } from '../features/auth/SignInPage.tsx';
import { SIGN_IN_PATH, SIGN_UP_PATH, withSearch } from '../lib/paths.ts';
import { getSessionEnd } from '../lib/session/session.ts';
import { NavigationContext } from '../lib/navigation.ts';
import type { Navigation } from '../lib/navigation.ts';
import { PageBanner } from './shell/PageBanner.tsx';

const SignUpPage = lazy(async () => ({ default: (await import('../features/auth/SignUpPage.tsx')).SignUpPage }));

/** Signed-out visitors of other paths are sent to sign in, then back if the path may be a page. */
const PATHS: readonly string[] = ['/', SIGN_IN_PATH, SIGN_UP_PATH];

const UNKNOWN_ADDRESS = 'nowhere';

function isOfStaff(pathname: string): boolean {
  return (ROLES as readonly string[]).includes(pathname.split('/')[1]!);
}

/** Works without the router, which is prefetched while a name is typed. */
export function SignedOut() {
  const { address, go } = useAddress();
  const { pathname, search } = address;
  const query = new URLSearchParams(search);
  const hasArrived = useRef(false);
  useEffect(() => {
    const arrives = !hasArrived.current;
    hasArrived.current = true;
    const hasSignedOut = getSessionEnd() === 'signed-out';
    // A sign-out leads to the sign-in page, except when the visitor comes back from there.
    if (hasSignedOut && arrives && pathname !== SIGN_IN_PATH) go.to(SIGN_IN_PATH);
    else if (pathname === '/' && getSessionEnd() === 'ended') go.replace(SIGN_IN_PATH);
    else if (PATHS.includes(pathname)) return;
    else if (!isOfStaff(pathname)) go.replace(withSearch(SIGN_IN_PATH, { from: UNKNOWN_ADDRESS }));
    else go.replace(hasSignedOut ? SIGN_IN_PATH : withSearch(SIGN_IN_PATH, { redirect: pathname + search }));
  }, [go, pathname, search]);

  return (
    <NavigationContext value={go}>
      <div onInput={loadAhead}>
        {pathname === SIGN_UP_PATH ? (
          <Suspense>
            <SignUpPage />
          </Suspense>
        ) : (
          <SignInPage
            redirect={query.get('redirect') ?? undefined}
            isFromNowhere={query.get('from') === UNKNOWN_ADDRESS}
          />
        )}
      </div>
      <PageBanner />
    </NavigationContext>
  );
}

/** Prefetches during typing. Failures are retried on demand. */
function loadAhead(): void {
  for (const load of [loadRules, loadSignedIn]) void load().catch(() => undefined);
}

/** Replaces the router while signed out. */
function useAddress(): { address: { pathname: string; search: string }; go: Navigation } {
  const [address, setAddress] = useState(addressNow);
  useEffect(() => {
    const look = () => setAddress(addressNow());
    window.addEventListener('popstate', look);
    return () => window.removeEventListener('popstate', look);
  }, []);
  const go = useMemo(() => {
    const to = (path: string) => {
      window.history.pushState(null, '', path);
      setAddress(addressNow());
    };
    const replace = (path: string) => {
      window.history.replaceState(null, '', path);
      setAddress(addressNow());
    };
    return { to, replace, back: replace };
  }, []);
  return { address, go };
}

function addressNow(): { pathname: string; search: string } {
  const { pathname, search } = window.location;
  // Like Fastify's routing, ignores a trailing slash.
  return { pathname: pathname.replace(/(?<=.)\/$/, ''), search };
}

export const loadSignedIn = () => import('./SignedIn.tsx');
