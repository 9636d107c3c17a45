import { STAFF_ROLES } from '@drawhouse/contract/core/primitives';
import { createElement, Suspense, useEffect } from 'react';
import { getSession, useUser, useSession } from '../../lib/session/session.ts';
import { PageSkeleton } from '../../ui/page/Loading.tsx';
import { lazyPage } from '../../lib/lazyParts.ts';
import { pageOf, shapeOf, type ShownRoute } from './routePages.ts';
import { readStaffPath } from './staffPath.ts';
import { notifications } from '@mantine/notifications';
import { homePath, SIGN_IN_PATH, SIGN_UP_PATH } from '../../lib/paths.ts';
import { PageBoundary } from '../PageError.tsx';
import { Shell } from '../shell/Shell.tsx';
import { go, useAddress, usePathname } from '../../lib/navigation.ts';
import { routeTexts } from '../shell/shellTexts.ts';

const ResolveRoute = lazyPage(async () => (await import('./ResolveRoute.tsx')).ResolveRoute);

export async function loadFirstPage(): Promise<void> {
  const role = getSession()?.role;
  const [first, path] = splitPath(window.location.pathname);
  const found = role !== undefined && first === role && path !== undefined ? readStaffPath(role, path) : null;
  if (found && found.kind !== 'resolve') await pageOf(role!, found)?.ahead();
}

/** The root, other roles' pages and visitors' pages lead to the home page. */
export function Pages() {
  const role = useSession()?.role;
  const pathname = usePathname();
  if (!role) return null;
  const [first, path] = splitPath(pathname);
  if (first === role && path !== undefined)
    return (
      <Shell>
        <StaffRoute path={path} />
      </Shell>
    );
  const isStaffPath = ['', ...STAFF_ROLES].includes(first) || [SIGN_IN_PATH, SIGN_UP_PATH].includes(pathname);
  return isStaffPath ? <ToHome /> : <UnknownPath />;
}

function splitPath(pathname: string): readonly [first: string, path: string | undefined] {
  const [, first = '', ...rest] = pathname.split('/').map(decoded);
  return [first, rest.length > 0 ? rest.join('/') : undefined];
}

function ToHome() {
  const role = useSession()?.role;
  useEffect(() => {
    if (role) go.replace(homePath(role));
  }, [role]);
  return null;
}

/** Leaves invalidly encoded text unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function StaffRoute({ path }: { path: string }) {
  const found = readStaffPath(useUser().role, path);
  const address = useAddress(({ pathname, search }) => pathname + search);
  return (
    <PageBoundary address={address}>
      {/* Remounts per path, so no input carries over. */}
      <Suspense key={path} fallback={<PageSkeleton shape={found ? shapeOf(found) : 'other'} />}>
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
    </PageBoundary>
  );
}

function RoutePage(route: ShownRoute) {
  const { role } = useUser();
  const Page = pageOf(role, route);
  const { kind: _kind, ...props } = route;
  return Page && createElement(Page, props);
}

function UnknownPath() {
  const role = useSession()?.role;
  useEffect(() => {
    notifications.show({
      id: 'unknown-path',
      message: routeTexts.pageNotFoundYou,
      color: 'yellow',
    });
    go.replace(role ? homePath(role) : SIGN_IN_PATH);
  }, [role]);
  return null;
}
