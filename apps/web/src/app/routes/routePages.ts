import type { Role } from '@drawhouse/contract/core/primitives';
import type { FunctionComponent } from 'react';
import { lazyPage } from '../../lib/lazyParts.ts';
import { findStaffPage } from '../staffPages.ts';
import type { StaffPath } from './staffPath.ts';

type Kind = StaffPath['kind'];
type RouteOf<K extends Kind> = Extract<StaffPath, { kind: K }>;
type OwnKind = Exclude<Kind, 'page' | 'list' | 'resolve'>;

export const ROUTE_PAGES: { readonly [K in OwnKind]: FunctionComponent<Omit<RouteOf<K>, 'kind'>> } = {
  create: lazyPage(async () => (await import('../../features/accounts/edit/CreateAccountPage.tsx')).CreateAccountPage),
  details: lazyPage(async () => (await import('./AccountDetailsRoute.tsx')).AccountDetailsRoute),
  edit: lazyPage(async () => (await import('../../features/accounts/edit/EditAccountPage.tsx')).EditAccountPage),
  credittransfer: lazyPage(async () => (await import('../../features/credit/CreditPage.tsx')).CreditTransferPage),
  creditadjust: lazyPage(async () => (await import('../../features/credit/CreditPage.tsx')).CreditAdjustPage),
  statement: lazyPage(async () => (await import('../../features/credit/StatementPage.tsx')).StatementPage),
  ownStatement: lazyPage(async () => (await import('../../features/credit/StatementPage.tsx')).StatementPage),
  live: lazyPage(async () => (await import('../../features/live/panel/LivePanelPage.tsx')).LivePanelPage),
  liveList: lazyPage(async () => (await import('./LiveListRoute.tsx')).LiveListRoute),
};

export type ShownRoute = Exclude<StaffPath, { kind: 'resolve' }>;

/** Null if planned for a later release. */
export function pageOf(role: Role, route: ShownRoute): FunctionComponent<object> | null {
  const page =
    route.kind === 'page'
      ? findStaffPage(role, route.page)?.Page
      : route.kind === 'list'
        ? findStaffPage(role, route.level)?.Page
        : ROUTE_PAGES[route.kind];
  return (page as FunctionComponent<object> | undefined) ?? null;
}
