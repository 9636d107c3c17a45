import { useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { AccountDetailsPage } from '../../features/accounts/AccountDetailsPage.tsx';
import { AccountListPage } from '../../features/accounts/AccountListPage.tsx';
import { CreateAccountPage } from '../../features/accounts/CreateAccountPage.tsx';
import { StatementPage } from '../../features/credit/StatementPage.tsx';
import { parseListSearch } from '../../lib/listSearch.ts';
import { useUser } from '../../lib/useSession.ts';
import { PlannedPage } from '../PlannedPage.tsx';
import { findStaffPage } from '../staffPages.ts';
import { AccountActionRoute } from './AccountActionRoute.tsx';
import { LiveListRoute } from './LiveListRoute.tsx';
import { ResolveRoute } from './ResolveRoute.tsx';
import { readStaffPath } from './staffRoute.ts';
import type { StaffRoute as Found } from './staffRoute.ts';

const LivePanelPage = lazy(async () => ({
  default: (await import('../../features/live/LivePanelPage.tsx')).LivePanelPage,
}));

/** The pages that are built, by their name; the others say what they will show. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  dashboard: lazy(async () => ({ default: (await import('./DashboardRoute.tsx')).DashboardRoute })),
  logactivities: lazy(async () => ({ default: (await import('./ActivityRoute.tsx')).ActivityRoute })),
  profile: lazy(async () => ({ default: (await import('../../features/profile/ProfilePage.tsx')).ProfilePage })),
  turnoverreport: lazy(async () => ({
    default: (await import('../../features/reports/TurnoverPage.tsx')).TurnoverPage,
  })),
};

/** The page that a path under a role's prefix means. */
export function StaffRoute() {
  const { _splat = '' } = useParams({ from: '/$role/$' });
  const search = useSearch({ from: '/$role/$' });
  const { role } = useUser();
  const found = readStaffPath(role, _splat);
  return <Suspense>{found && pageOf(found, search)}</Suspense>;

  function pageOf(route: Found, plain: Readonly<Record<string, string | undefined>>) {
    switch (route.kind) {
      case 'page':
        return <NamedPage page={route.page} />;
      case 'list':
        return <AccountListPage key={route.level} level={route.level} search={parseListSearch(plain)} />;
      case 'details':
        return <AccountDetailsPage key={route.id} level={route.level} id={route.id} search={parseListSearch(plain)} />;
      case 'create':
        return <CreateAccountPage key={_splat} level={route.level} parentId={route.parentId} />;
      case 'resolve':
        return <ResolveRoute key={route.id} action={route.action} id={route.id} />;
      case 'ownStatement':
        return <StatementPage />;
      case 'live':
        return <LivePanelPage key={`${route.gameId}/${route.adminId}`} {...route} />;
      case 'liveList':
        return <LiveListRoute />;
      default:
        return <AccountActionRoute key={_splat} action={route.kind} level={route.level} id={route.id} />;
    }
  }
}

function NamedPage({ page }: { page: string }) {
  const entry = findStaffPage(useUser().role, page);
  const Page = PAGES[page];
  if (Page) return <Page />;
  return entry ? <PlannedPage title={entry.label} shows={entry.planned ?? ''} /> : null;
}
