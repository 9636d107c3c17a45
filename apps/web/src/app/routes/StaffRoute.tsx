import { useParams } from '@tanstack/react-router';
import { createElement, Suspense, useEffect } from 'react';
import { useUser, useSession } from '../../lib/session/session.ts';
import { PageSkeleton } from '../../ui/page/Loading.tsx';
import { lazyPage } from '../../lib/lazyParts.ts';
import { findStaffPage } from '../staffPages.ts';
import { pageOf, shapeOf } from './routePages.ts';
import type { ShownRoute } from './routePages.ts';
import { readStaffPath } from './staffPath.ts';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { notifications } from '@mantine/notifications';
import { homePath, SIGN_IN_PATH } from '../../lib/paths.ts';
import { useNavigation } from '../../lib/navigation.ts';

const ResolveRoute = lazyPage(async () => (await import('./ResolveRoute.tsx')).ResolveRoute);

export function StaffRoute() {
  const { _splat = '' } = useParams({ from: '/$role/$' });
  const found = readStaffPath(useUser().role, _splat);
  return (
    // Remounts per path, so no input carries over.
    <Suspense key={_splat} fallback={<PageSkeleton shape={found ? shapeOf(found) : 'other'} />}>
      {!found ? (
        <UnknownPath />
      ) : found.kind === 'resolve' ? (
        <ResolveRoute {...found}>
          {(level) => <RoutePage kind={found.action} level={level} id={found.id} />}
        </ResolveRoute>
      ) : (
        <RoutePage {...found} />
      )}
    </Suspense>
  );
}

function RoutePage(route: ShownRoute) {
  const { role } = useUser();
  const Page = pageOf(role, route);
  const { kind: _kind, ...says } = route;
  if (Page) return createElement(Page, says);
  const entry = route.kind === 'page' ? findStaffPage(role, route.page) : undefined;
  return entry?.planned === undefined ? null : <PlannedPage title={entry.label} shows={entry.planned} />;
}

function PlannedPage({ title, shows }: { title: string; shows: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="This page comes with a later release" text={shows} />
    </>
  );
}

export function UnknownPath() {
  const role = useSession()?.role;
  const go = useNavigation();
  useEffect(() => {
    notifications.show({
      id: 'unknown-path',
      message: 'Page not found. You may have mistyped it, or it belongs to another role.',
      color: 'yellow',
    });
    go.replace(role ? homePath(role) : SIGN_IN_PATH);
  }, [go, role]);
  return null;
}
