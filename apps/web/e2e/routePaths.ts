import { roleAbove, type Role } from '@drawhouse/contract/core/primitives';
import { ACTIONS, readStaffPath, type StaffPath } from '../src/app/routes/staffPath.ts';
import { basesOf, singlePagesOf } from '../src/app/staffPages.ts';
import type { Network } from './testNetwork.ts';
import { expect, type Page } from '@playwright/test';

/** The same `kind` looks alike except for the account. */
export interface WalkedPath {
  readonly path: string;
  readonly kind: string;
}

/** Lists one path per kind of page. `staffPath.test.ts` proves that all other paths lead to these pages. */
export function pathsOf(role: Role, network: Network): WalkedPath[] {
  const { pair } = network;
  const idOf = (level: Role): string => network.accounts[level]._id;
  const rests = [
    ...singlePagesOf(role).map(({ page }) => page),
    'profile/statement',
    ...basesOf(role).flatMap(({ base, level, withChildren }) => {
      if (!level) return [base];
      if (withChildren)
        return [`${base}/details/${idOf(level)}`, ...ACTIONS.map((action) => `${base}/x/${action}/${idOf(level)}`)];
      return [
        base,
        `${base}/create`,
        `${base}/create/${idOf(roleAbove(level)!)}`,
        ...ACTIONS.map((action) => `${base}/${action}/${idOf(level)}`),
      ];
    }),
    `game/${pair.gameId}/${pair.adminId}/${encodeURIComponent(pair.username)}`,
    'admin/chain',
    `${role}/creditadjust/${idOf(role)}`,
  ];
  const walked = new Map<string, WalkedPath>();
  for (const rest of rests) {
    const route = readStaffPath(role, rest);
    const kind = route && kindOf(route);
    if (kind && !walked.has(kind)) walked.set(kind, { path: `/${role}/${rest}`, kind });
  }
  return [...walked.values()];
}

/** Title of the page left by {@link goTo}: the path changes first. */
export const LEFT_TITLE = 'h1[data-left]';

/** Follows a path as a link would. The app listens to `popstate` only. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const path = ${JSON.stringify(path)};
    if (new URL(path, location).pathname !== location.pathname)
      for (const title of document.querySelectorAll('h1')) title.dataset.left = '';
    history.pushState({ entry: (history.state?.entry ?? 0) + 1 }, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  })()`);
}

/** Also waits for the new page's title, which must differ. The app must already be loaded. */
export async function followTo(page: Page, path: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  const before = await page.title();
  await goTo(page, path);
  await expect(page, path).not.toHaveTitle(before);
}

function kindOf(route: StaffPath): string {
  if (route.kind === 'page') return `page ${route.page}`;
  if (route.kind === 'resolve') return `resolve ${route.action}`;
  if (route.kind === 'create') return `create ${lookOf(route.level)} ${route.parentId ? 'below one' : 'anywhere'}`;
  return 'level' in route ? `${route.kind} ${lookOf(route.level)}` : route.kind;
}

function lookOf(level: Role): string {
  return level === 'superadmin' || level === 'admin' || level === 'user' ? level : 'between';
}
