import { useParams } from '@tanstack/react-router';
import { createElement, Suspense } from 'react';
import { useUser } from '../../lib/useSession.ts';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { lazyPage } from '../lazyPage.ts';
import { findStaffPage } from '../staffPages.ts';
import { UnknownPath } from '../UnknownPath.tsx';
import { pageOf } from './routePages.ts';
import type { ShownRoute } from './routePages.ts';
import { readStaffPath } from './staffPath.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

const ResolveRoute = lazyPage(async () => (await import('./ResolveRoute.tsx')).ResolveRoute);

export function StaffRoute() {
  const { _splat = '' } = useParams({ from: '/$role/$' });
  const found = readStaffPath(useUser().role, _splat);
  return (
    // Remounts per path, so no input carries over.
    <Suspense key={_splat} fallback={<PageSkeleton />}>
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
