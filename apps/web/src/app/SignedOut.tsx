import { ROLES } from '@drawhouse/contract/core/roles';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadRules, SignInPage } from '../features/auth/SignInPage.tsx';
import { SIGN_IN_PATH, SIGN_UP_PATH, withSearch } from '../lib/paths.ts';
import { getSessionEnd } from '../lib/session/session.ts';
import { go, useAddress, usePathname } from '../lib/navigation.ts';
import { PageBanner } from './shell/PageBanner.tsx';

const SignUpPage = lazy(async () => ({ default: (await import('../features/auth/SignUpPage.tsx')).SignUpPage }));

/** Other paths lead to the sign-in, then back if they may be a page. */
const PATHS: readonly string[] = ['/', SIGN_IN_PATH, SIGN_UP_PATH];

const UNKNOWN_ADDRESS = 'nowhere';

function isOfStaff(pathname: string): boolean {
  return (ROLES as readonly string[]).includes(pathname.split('/')[1]!);
}

export function SignedOut() {
  const pathname = usePathname();
  const search = useAddress((address) => address.search);
  const query = new URLSearchParams(search);
  const hasArrived = useRef(false);
  useEffect(() => {
    const arrives = !hasArrived.current;
    hasArrived.current = true;
    const hasSignedOut = getSessionEnd() === 'signed-out';
    // Except when the visitor comes back from the sign-in page.
    if (hasSignedOut && arrives && pathname !== SIGN_IN_PATH) go.to(SIGN_IN_PATH);
    else if (pathname === '/' && getSessionEnd() === 'ended') go.replace(SIGN_IN_PATH);
    else if (PATHS.includes(pathname)) return;
    else if (!isOfStaff(pathname)) go.replace(withSearch(SIGN_IN_PATH, { from: UNKNOWN_ADDRESS }));
    else go.replace(hasSignedOut ? SIGN_IN_PATH : withSearch(SIGN_IN_PATH, { redirect: pathname + search }));
  }, [pathname, search]);

  return (
    <>
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
    </>
  );
}

/** Runs while a name is typed. Failures are retried on use. */
function loadAhead(): void {
  for (const load of [loadRules, loadSignedIn]) void load().catch(() => undefined);
}

export const loadSignedIn = () => import('./SignedIn.tsx');
