import * as auth from '@drawhouse/contract/auth/auth';
import * as factors from '@drawhouse/contract/auth/factors';
import * as credit from '@drawhouse/contract/credit/statement';
import * as draws from '@drawhouse/contract/draws/draws';
import * as favorites from '@drawhouse/contract/players/favorites';
import * as lobby from '@drawhouse/contract/players/lobby';
import * as protection from '@drawhouse/contract/players/protection';
import * as welcome from '@drawhouse/contract/players/welcome';
import * as advance from '@drawhouse/contract/tickets/advance-tickets';
import * as tickets from '@drawhouse/contract/tickets/tickets';
import { takesElevation, type Route } from '@drawhouse/contract/core/route';
import { expect, it } from 'vitest';
import { accountRoutes } from '../../account/accountRoutes.ts';
import { aheadRoutes, favoriteRoutes } from '../../play/sheets/sheetRoutes.ts';
import { routes } from './playerRoutes.ts';

const named = (route: object) => `${(route as { method?: string }).method} ${(route as { path?: string }).path}`;
const declared = [auth, credit, factors, draws, favorites, lobby, protection, welcome, tickets, advance]
  .flatMap((file) => Object.values(file) as unknown[])
  // Lists contain their route.
  .flatMap((value) => (typeof value === 'object' && value !== null && 'route' in value ? [value.route] : [value]))
  .filter((value) => typeof value === 'object' && value !== null && 'path' in value) as Route[];

it.each(Object.entries({ ...routes, ...accountRoutes, ...favoriteRoutes, ...aheadRoutes }))(
  '%s matches a contract route in method, path and sensitivity',
  (_, route) => {
    const found = declared.find((one) => named(one) === named(route));
    expect(found).toBeDefined();
    expect(route.isSensitive === true).toBe(takesElevation(found!));
  },
);
