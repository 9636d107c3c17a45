import { accountRoutes, userCount } from '@drawhouse/contract/accounts';
import { ROLES } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { countAccounts, findAccount, listAccounts, SORT_FIELDS } from './accounts.sql.ts';
import type { Actor } from './authority.ts';
import { createAccount } from './create-account.ts';
import type { AssignGames } from './create-account.ts';
import { toggleAccount } from './toggle-account.ts';
import type { EndSessionsBelow } from './toggle-account.ts';

const WHOLE_LIST_ROWS = 10_000;
const PAGE_ROWS = 25;

/** What the accounts need of features that come after them. */
export interface AccountHooks {
  readonly hashPassword: (password: string) => Promise<string>;
  readonly assignGames: AssignGames;
  readonly endSessionsBelow: EndSessionsBelow;
}

/** The routes of all levels: one set per role. */
export function accountsRoutes(services: Services, hooks: AccountHooks): BoundRoute<Actor>[] {
  return [...ROLES.flatMap((role) => routesOfRole(services, hooks, role)), countRoute(services)];
}

/** The older clients send the caller's id; it must be the one who is signed in. */
export function requireSelf(actor: Actor, id: string | undefined): void {
  if (id !== undefined && id !== actor.id) throw new CallError('IDENTITY_MISMATCH');
}

function routesOfRole(services: Services, hooks: AccountHooks, role: Role): BoundRoute<Actor>[] {
  const routes = accountRoutes[role];
  const { db, clock } = services;
  return [
    handle(routes.create, async ({ body }, call) => {
      const data = await createAccount(
        services,
        call,
        {
          ...body,
          role,
          active: body.userStatus,
          refId: body.refId,
          games: body.games,
          passwordHash: await hooks.hashPassword(body.password),
        },
        hooks.assignGames,
      );
      return { message: 'User created successfully!', data };
    }),
    handle(routes.all, async ({ query }, { actor }) => {
      requireSelf(actor, query.id);
      if (query.sort && !SORT_FIELDS.includes(query.sort.replace('-', '')))
        throw new CallError('INVALID_INPUT', { fields: { sort: `Sort by one of ${SORT_FIELDS.join(', ')}` } });
      const paged = query.page ?? query.pageSize ?? query.search ?? query.sort;
      const limit = paged === undefined ? WHOLE_LIST_ROWS : (query.pageSize ?? PAGE_ROWS);
      const { accounts, total } = await listAccounts(db, actor.id, clock.now(), {
        role,
        parentId: query.parentId,
        search: query.search,
        sort: query.sort,
        limit,
        offset: ((query.page ?? 1) - 1) * limit,
      });
      return { data: accounts, total };
    }),
    handle(routes.get, async ({ params }, { actor }) => {
      const data = await findAccount(db, actor.id, clock.now(), { id: params.id, role });
      if (!data) throw new CallError('NOT_FOUND');
      return { data };
    }),
    handle(routes.toggleStatus, async ({ params }, call) => {
      const active = params.action === 'activate';
      const data = await toggleAccount(services, call, { id: params.userId, role, active }, hooks.endSessionsBelow);
      return { message: `User ${data._id} has been successfully ${params.action}d.`, data };
    }),
  ];
}

function countRoute({ db }: Services): BoundRoute<Actor> {
  return handle(userCount, async ({ query }, { actor }) => {
    requireSelf(actor, query.id);
    const counts = await countAccounts(db, actor.id);
    return {
      count: counts.user ?? 0,
      countAdmins: counts.admin ?? 0,
      countSuperDistributors: counts.superdistributor ?? 0,
      countDistributors: counts.distributor ?? 0,
      countRetailers: counts.retailer ?? 0,
    };
  });
}
