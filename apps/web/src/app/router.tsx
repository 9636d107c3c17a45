import { STAFF_ROLES } from '@drawhouse/contract/frame/primitives';
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
import { getSession } from '../lib/session.ts';
import { PageError } from './PageError.tsx';
import { StaffRoute } from './routes/StaffRoute.tsx';
import { Shell } from './Shell.tsx';
import { UnknownPath } from './UnknownPath.tsx';

/** A search as it stands in the URL: texts only, so that it reads as people write it. */
type PlainSearch = Readonly<Record<string, string | undefined>>;

function plainSearch(search: Record<string, unknown>): PlainSearch {
  return search as PlainSearch;
}

/** Leads to the role's first page. Where the session has just ended, whoever shows these pages shows the sign-in instead. */
function toStart(): void {
  const session = getSession();
  if (session) throw redirect({ href: homePath(session.role), replace: true });
}

const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: PageError,
  notFoundComponent: UnknownPath,
});

const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: toStart });

/** Addresses that are known without being anybody's page here: of other roles, and of those who are not signed in. */
function isKnown(pathname: string): boolean {
  const [, first = ''] = pathname.split('/');
  return (STAFF_ROLES as readonly string[]).includes(first) || [SIGN_IN_PATH, SIGN_UP_PATH].includes(pathname);
}

/** Everything under a role's prefix: only for that role. */
const roleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$role',
  beforeLoad: ({ params, location }) => {
    const role = getSession()?.role;
    if (params.role === role) return;
    if (getSession() && !isKnown(location.pathname)) throw notFound();
    toStart();
  },
  component: Shell,
  errorComponent: PageError,
});

const roleStartRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '/',
  beforeLoad: toStart,
});

/** Every page of a role. Which one a path means is data: see `readStaffPath`. */
const staffRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$',
  validateSearch: plainSearch,
  component: StaffRoute,
});

const routeTree = rootRoute.addChildren([startRoute, roleRoute.addChildren([roleStartRoute, staffRoute])]);

/** The browser's own, for all routers: one after the other listens to it. */
const history = createBrowserHistory();

/** The pages of those who are signed in, by their paths. */
export function createPages() {
  return createRouter({
    routeTree,
    history,
    defaultPreload: false,
    // A page that fails leaves the shell around it standing.
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
