import { ROLES } from '@drawhouse/contract/frame/roles';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { loadRules } from '../features/auth/loadRules.ts';
import { SignInPage } from '../features/auth/SignInPage.tsx';
import { SIGN_IN_PATH, SIGN_UP_PATH, withSearch } from '../lib/paths.ts';
import { getSessionEnd } from '../lib/session.ts';
import { GoContext } from '../lib/useGo.ts';
import type { Go } from '../lib/useGo.ts';
import { loadSignedIn } from './loadSignedIn.ts';
import { PageBanner } from './PageBanner.tsx';

const SignUpPage = lazy(async () => ({ default: (await import('../features/auth/SignUpPage.tsx')).SignUpPage }));

/** The paths of those who are not signed in. Whoever asks for another one is led to the sign-in, and there after it if it may be a page. */
const PATHS: readonly string[] = ['/', SIGN_IN_PATH, SIGN_UP_PATH];

/** What the sign-in is told where nothing is at the address that was asked for. */
const NOWHERE = 'nowhere';

/** Whether a path may be a page of the staff. */
function isOfStaff(pathname: string): boolean {
  return (ROLES as readonly string[]).includes(pathname.split('/')[1]!);
}

/**
 * The sign-in and the sign-up. They do without the router, which with all that stands behind it is fetched when somebody begins
 * to type a name.
 */
export function SignedOut() {
  const { address, go } = useAddress();
  const { pathname, search } = address;
  const query = new URLSearchParams(search);
  const hasArrived = useRef(false);
  useEffect(() => {
    const arrives = !hasArrived.current;
    hasArrived.current = true;
    const hasSignedOut = getSessionEnd() === 'signed-out';
    // Signing out leads on to the sign-in, from a player's start too; whoever goes back from there is not led on again.
    if (hasSignedOut && arrives && pathname !== SIGN_IN_PATH) go.to(SIGN_IN_PATH);
    else if (pathname === '/' && getSessionEnd() === 'ended') go.replace(SIGN_IN_PATH);
    else if (PATHS.includes(pathname)) return;
    else if (!isOfStaff(pathname)) go.replace(withSearch(SIGN_IN_PATH, { from: NOWHERE }));
    else go.replace(hasSignedOut ? SIGN_IN_PATH : withSearch(SIGN_IN_PATH, { redirect: pathname + search }));
  }, [go, pathname, search]);

  return (
    <GoContext value={go}>
      <div onInput={loadAhead}>
        {pathname === SIGN_UP_PATH ? (
          <Suspense>
            <SignUpPage />
          </Suspense>
        ) : (
          <SignInPage redirect={query.get('redirect') ?? undefined} isFromNowhere={query.get('from') === NOWHERE} />
        )}
      </div>
      <PageBanner />
    </GoContext>
  );
}

/** Fetches what comes next while a name is typed. What fails here is fetched again when it is wanted. */
function loadAhead(): void {
  for (const load of [loadRules, loadSignedIn]) void load().catch(() => undefined);
}

/** Where the browser is, and ways to elsewhere, as the router has them for those who are signed in. */
function useAddress(): { address: { pathname: string; search: string }; go: Go } {
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
  // As Fastify finds routes, with or without a slash at the end.
  return { pathname: pathname.replace(/(?<=.)\/$/, ''), search };
}
