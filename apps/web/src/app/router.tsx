import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { homePath, SIGN_IN_PATH, SIGN_UP_PATH, withSearch } from '../lib/paths.ts';
import { getSession } from '../lib/session/session.ts';
import { PageError } from './PageError.tsx';
import { StaffRoute, UnknownPath } from './routes/StaffRoute.tsx';
import { Shell } from './shell/Shell.tsx';

/** Strings only, which keeps the URL readable. */
type PlainSearch = Readonly<Record<string, string | undefined>>;

function plainSearch(search: Record<string, unknown>): PlainSearch {
  return search as PlainSearch;
}

function redirectHome(): void {
  const session = getSession();
  if (session) throw redirect({ href: homePath(session.role), replace: true });
}

const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: UnknownPath,
});

const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: redirectHome });

function isKnown(pathname: string): boolean {
  const [, first = ''] = pathname.split('/');
  return (STAFF_ROLES as readonly string[]).includes(first) || [SIGN_IN_PATH, SIGN_UP_PATH].includes(pathname);
}

const roleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$role',
  beforeLoad: ({ params, location }) => {
    const role = getSession()?.role;
    if (params.role === role) return;
    if (getSession() && !isKnown(location.pathname)) throw notFound();
    redirectHome();
  },
  component: Shell,
  errorComponent: PageError,
});

const roleStartRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '/',
  beforeLoad: redirectHome,
});

/** `readStaffPath` maps paths to pages. */
const staffRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$',
  validateSearch: plainSearch,
  component: StaffRoute,
});

const routeTree = rootRoute.addChildren([startRoute, roleRoute.addChildren([roleStartRoute, staffRoute])]);

const history = createBrowserHistory();

export function createPages() {
  return createRouter({
    routeTree,
    history,
    defaultPreload: false,
    // A failing page keeps the shell.
    defaultErrorComponent: PageError,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => withSearch('', search as PlainSearch),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
