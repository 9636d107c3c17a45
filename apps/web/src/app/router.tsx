import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { FunctionComponent, ReactNode } from 'react';
import { homePath, SIGN_IN_PATH, withSearch } from '../lib/paths.ts';
import { getSession, getSessionEnd } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { lazyPage } from './lazyPage.ts';
import { NotFound } from './NotFound.tsx';
import { PageError } from './PageError.tsx';
import { readStaffPath } from './routes/staffRoute.ts';
import { Shell } from './Shell.tsx';
import { StartPage } from './StartPage.tsx';

/** A search as it stands in the URL: texts only, so that it reads as people write it. */
type PlainSearch = Readonly<Record<string, string | undefined>>;

function plainSearch(search: Record<string, unknown>): PlainSearch {
  return search as PlainSearch;
}

function whole(load: () => Promise<FunctionComponent>): () => ReactNode {
  const Page = lazyPage(load);
  return () => (
    <Suspense>
      <Page />
    </Suspense>
  );
}

/** Leads to the own start: the sign-in when signed out, else the role's first page. */
function toStart(session: Session | null): never {
  throw redirect({ href: session ? homePath(session.role) : SIGN_IN_PATH, replace: true });
}

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageError, notFoundComponent: NotFound });

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    const session = getSession();
    if (session && session.role !== 'user') toStart(session);
  },
  component: StartPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  validateSearch: plainSearch,
  beforeLoad: () => {
    const session = getSession();
    if (session) toStart(session);
  },
  component: whole(async () => (await import('../features/auth/SignInPage.tsx')).SignInPage),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/signup',
  beforeLoad: () => {
    const session = getSession();
    if (session) toStart(session);
  },
  component: whole(async () => (await import('../features/auth/SignUpPage.tsx')).SignUpPage),
});

/** Everything under a role's prefix: only for that role; a deep link is kept through the sign-in. */
const roleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$role',
  beforeLoad: ({ params, location }) => {
    const session = getSession();
    if (!session) {
      const back = getSessionEnd() === 'signed-out' ? undefined : location.href;
      throw redirect({ href: withSearch(SIGN_IN_PATH, { redirect: back }), replace: true });
    }
    if (session.role === 'user' || params.role !== session.role) toStart(session);
  },
  component: Shell,
  errorComponent: PageError,
  notFoundComponent: NotFound,
});

const roleStartRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '/',
  beforeLoad: () => toStart(getSession()),
});

/** Every page of a role. Which one a path means is data: see `readStaffPath`. */
const staffRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$',
  validateSearch: plainSearch,
  beforeLoad: ({ params }) => {
    const session = getSession();
    if (!session || !readStaffPath(session.role, params._splat ?? '')) toStart(session);
  },
  component: whole(async () => (await import('./routes/StaffRoute.tsx')).StaffRoute),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  signUpRoute,
  roleRoute.addChildren([roleStartRoute, staffRoute]),
]);

/** The pages of the app by their paths. */
export const router = createRouter({
  routeTree,
  defaultPreload: false,
  // A page that fails leaves the shell around it standing.
  defaultErrorComponent: PageError,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => withSearch('', search as PlainSearch),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
