import { readdir } from 'node:fs/promises';
import { downloadBackup } from '@drawhouse/contract/backup/backups';
import type { List } from '@drawhouse/contract/core/list';
import type { Route } from '@drawhouse/contract/core/route';
import { WALL_KEY_PREFIX } from '@drawhouse/contract/players/wall';

const FILES = await readdir(new URL('../../../../packages/contract/src', import.meta.url), { recursive: true });
const MODULES: object[] = await Promise.all(
  FILES.filter((file) => /^[\w-]+\/[\w-]+\.ts$/.test(file)).map(
    (file) => import(`@drawhouse/contract/${file.replace('.ts', '')}`) as Promise<object>,
  ),
);

function routesIn(value: unknown): Route[] {
  if (typeof value !== 'object' || value === null || '_zod' in value) return [];
  if ('method' in value && 'path' in value && 'response' in value) return [value as Route];
  return Object.values(value).flatMap(routesIn);
}

export const ROUTES: readonly Route[] = [...new Set(routesIn(MODULES.map((module) => ({ ...module }))))];

/** Read-only routes without trace; backup downloads are logged. */
export const READS: readonly Route[] = ROUTES.filter(
  (route) => route.method === 'GET' && route.changesState !== true && route !== (downloadBackup as Route),
);

function listsIn(value: unknown): List[] {
  if (typeof value !== 'object' || value === null || '_zod' in value) return [];
  if ('route' in value && 'columns' in value && 'rowsKey' in value) return [value as List];
  return Object.values(value).flatMap(listsIn);
}

export const LISTS: readonly List[] = [...new Set(listsIn(MODULES.map((module) => ({ ...module }))))];

export const nameOf = (route: Pick<Route, 'method' | 'path'>): string => `${route.method} ${route.path}`;

const UNKNOWN_HASH: string = '0'.repeat(64);
export const UNKNOWN_ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

export function emptyUrlOf(route: Route): string {
  const path = route.path
    .replace(/:action/, 'activate')
    .replace(/:(sessionId|deviceId|hash|digest)/, UNKNOWN_HASH)
    .replace(/:key$/, `${WALL_KEY_PREFIX}${UNKNOWN_HASH}`)
    .replace(/:\w+/g, UNKNOWN_ID);
  return `/api/${path}`;
}
