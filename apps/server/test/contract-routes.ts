import * as accountChildren from '@drawhouse/contract/account-children';
import * as accounts from '@drawhouse/contract/accounts';
import * as activity from '@drawhouse/contract/activity';
import * as auth from '@drawhouse/contract/auth';
import * as credit from '@drawhouse/contract/credit';
import * as games from '@drawhouse/contract/games';
import * as live from '@drawhouse/contract/live';
import * as notices from '@drawhouse/contract/notices';
import * as player from '@drawhouse/contract/player';
import * as reports from '@drawhouse/contract/reports';
import type { Route } from '@drawhouse/contract/route';

/** Every file of the contract that has routes, by its name. http.test.ts checks that none is missing. */
export const MODULES = {
  'account-children': accountChildren,
  accounts,
  activity,
  auth,
  credit,
  games,
  live,
  notices,
  player,
  reports,
};

function routesIn(value: unknown): Route[] {
  if (typeof value !== 'object' || value === null || '_zod' in value) return [];
  if ('method' in value && 'path' in value && 'response' in value) return [value as Route];
  return Object.values(value).flatMap(routesIn);
}

/** Every route of the contract, found by walking what it exports. */
export const ROUTES: readonly Route[] = routesIn(Object.values(MODULES).map((module) => ({ ...module })));

/** How a route is called in tables: its method and path. */
export const nameOf = (route: Pick<Route, 'method' | 'path'>): string => `${route.method} ${route.path}`;

/** A session id that nobody has. */
export const UNKNOWN_SESSION: string = '0'.repeat(64);
/** An account id that nobody has. */
export const UNKNOWN_ID = '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d';

/** The path of a route with values that are right in form but name nothing. */
export function emptyUrlOf(route: Route): string {
  const path = route.path
    .replace(/:action/, 'activate')
    .replace(/:sessionId/, UNKNOWN_SESSION)
    .replace(/:\w+/g, UNKNOWN_ID);
  return `/api/${path}`;
}
