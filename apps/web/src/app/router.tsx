import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { homePath, SIGN_IN_PATH, withSearch } from '../lib/paths.ts';
import { getSession, getSessionEnd } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { NotFound } from './NotFound.tsx';
import { PageError } from './PageError.tsx';
import { Shell } from './Shell.tsx';
import { findStaffPage, hasCreditPage, hasLiveMenu } from './staffPages.ts';
import { StartPage } from './StartPage.tsx';

/** A search as it stands in the URL: texts only, so that it reads as people write it. */
type PlainSearch = Readonly<Record<string, string | undefined>>;

function plainSearch(search: Record<string, unknown>): PlainSearch {
  return search as PlainSearch;
}

/** Leads to the own start: the sign-in when signed out, else the role's first page. */
function toStart(session: Session | null): never {
  throw redirect({ href: session ? homePath(session.role) : SIGN_IN_PATH, replace: true });
}

/** Lets a page through only where the signed-in role has it. */
function guard(allows: (session: Session) => boolean): void {
  const session = getSession();
  if (!session || !allows(session)) toStart(session);
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
  component: lazyRouteComponent(() => import('../features/auth/SignInPage.tsx'), 'SignInPage'),
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

const dashboardRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: 'dashboard',
  component: lazyRouteComponent(() => import('./routes/DashboardRoute.tsx'), 'DashboardRoute'),
});

const profileRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('../features/profile/ProfilePage.tsx'), 'ProfilePage'),
});

const activityRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: 'logactivities',
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('./routes/ActivityRoute.tsx'), 'ActivityRoute'),
});

const turnoverRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: 'turnoverreport',
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('../features/reports/TurnoverPage.tsx'), 'TurnoverPage'),
});

const liveRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: 'game/$gameId/$adminId/$username',
  beforeLoad: () => guard((session) => hasLiveMenu(session.role)),
  component: lazyRouteComponent(() => import('./routes/LiveRoute.tsx'), 'LiveRoute'),
});

/** The list of a level, or a page to come. */
const baseRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$base',
  validateSearch: plainSearch,
  beforeLoad: ({ params }) => guard((session) => findStaffPage(session.role, params.base) !== undefined),
  component: lazyRouteComponent(() => import('./routes/BaseRoute.tsx'), 'BaseRoute'),
});

const createAccountRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$base/create',
  beforeLoad: ({ params }) => guard((session) => findStaffPage(session.role, params.base)?.level !== undefined),
  component: lazyRouteComponent(() => import('./routes/CreateRoute.tsx'), 'CreateRoute'),
});

const transferRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$base/credittransfer/$id',
  beforeLoad: ({ params }) => guard((session) => hasCreditPage(session.role, params.base, 'transfer')),
  component: lazyRouteComponent(() => import('./routes/CreditRoute.tsx'), 'TransferRoute'),
});

const adjustRoute = createRoute({
  getParentRoute: () => roleRoute,
  path: '$base/creditadjust/$id',
  beforeLoad: ({ params }) => guard((session) => hasCreditPage(session.role, params.base, 'adjust')),
  component: lazyRouteComponent(() => import('./routes/CreditRoute.tsx'), 'AdjustRoute'),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  roleRoute.addChildren([
    roleStartRoute,
    dashboardRoute,
    profileRoute,
    activityRoute,
    turnoverRoute,
    liveRoute,
    baseRoute,
    createAccountRoute,
    transferRoute,
    adjustRoute,
  ]),
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
