import type { Role } from '@drawhouse/contract/core/primitives';
import { lazyPage, type LazyPage } from '../../lib/lazyParts.ts';
import type { PageShape } from '../../ui/page/Loading.tsx';
import { findStaffPage } from '../staffPages.ts';
import type { StaffPath } from './staffPath.ts';

type Kind = StaffPath['kind'];
type RouteOf<K extends Kind> = Extract<StaffPath, { kind: K }>;
type OwnKind = Exclude<Kind, 'page' | 'list' | 'resolve'>;

export const ROUTE_PAGES: { readonly [K in OwnKind]: LazyPage<Omit<RouteOf<K>, 'kind'>> } = {
  create: lazyPage(async () => (await import('../../features/accounts/edit/CreateAccountPage.tsx')).CreateAccountPage),
  chain: lazyPage(async () => (await import('../../features/accounts/edit/ChainPage.tsx')).ChainPage),
  import: lazyPage(async () => (await import('../../features/accounts/import/ImportPage.tsx')).ImportPage),
  details: lazyPage(async () => (await import('./AccountDetailsRoute.tsx')).AccountDetailsRoute),
  edit: lazyPage(async () => (await import('../../features/accounts/edit/EditAccountPage.tsx')).EditAccountPage),
  credittransfer: lazyPage(async () => (await import('../../features/credit/CreditPage.tsx')).CreditTransferPage),
  creditadjust: lazyPage(async () => (await import('../../features/credit/CreditPage.tsx')).CreditAdjustPage),
  statement: lazyPage(async () => (await import('../../features/credit/statement/StatementPage.tsx')).StatementPage),
  ownStatement: lazyPage(async () => (await import('../../features/credit/statement/StatementPage.tsx')).StatementPage),
  account: lazyPage(async () => (await import('./ResolveRoute.tsx')).AccountRoute),
  ticket: lazyPage(async () => (await import('../../features/reports/objects/TicketPage.tsx')).TicketPage),
  draw: lazyPage(async () => (await import('../../features/reports/objects/DrawPage.tsx')).DrawPage),
  transaction: lazyPage(
    async () => (await import('../../features/reports/objects/TransactionPage.tsx')).TransactionPage,
  ),
  live: lazyPage(async () => (await import('../../features/live/panel/LivePanelPage.tsx')).LivePanelPage),
  liveList: lazyPage(async () => (await import('./LiveListRoute.tsx')).LiveListRoute),
};

const SHAPES: Readonly<Record<string, PageShape>> = {
  dashboard: 'other',
  profile: 'other',
  clearhistory: 'form',
  create: 'form',
  import: 'form',
  details: 'other',
  edit: 'form',
  credittransfer: 'form',
  creditadjust: 'form',
  live: 'other',
  liveList: 'other',
};

export function shapeOf(found: StaffPath): PageShape {
  const name = found.kind === 'page' ? found.page : found.kind === 'resolve' ? found.action : found.kind;
  return SHAPES[name] ?? 'table';
}

export type ShownRoute = Exclude<StaffPath, { kind: 'resolve' }>;

export function pageOf(role: Role, route: ShownRoute): LazyPage<object> | undefined {
  const page =
    route.kind === 'page'
      ? findStaffPage(role, route.page)?.Page
      : route.kind === 'list'
        ? findStaffPage(role, route.level)?.Page
        : ROUTE_PAGES[route.kind];
  return page as LazyPage<object> | undefined;
}
