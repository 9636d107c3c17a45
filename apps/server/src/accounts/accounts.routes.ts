import {
  bulkDailyLimit,
  bulkStatus,
  checkImport as checkRoute,
  importAccounts as importRoute,
  importProgress,
} from '@drawhouse/contract/accounts/bulk-accounts';
import {
  childRoutes,
  fetchUserById,
  type ParentRole,
  belowCount,
  COUNTED_PLAYERS_MAX,
  userCount,
} from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { accountActions, type AccountActions, type AccountHooks } from './change/account-actions.ts';
import { accountSource, referenceOf } from './read/account-source.ts';
import { countAccounts, countActiveBelow, listPlayers } from './accounts.sql.ts';
import type { Actor } from './authority.ts';
import { checkImport, importAccounts } from './change/import-accounts.ts';
import { readProgress } from './change/import-rows.ts';

type ChildList = (typeof childLists)[ParentRole];

export function accountsRoutes(services: Services, hooks: AccountHooks): BoundRoute<Actor>[] {
  const actions = accountActions(services, hooks);
  const parents = ROLES.filter((role): role is ParentRole => role !== 'user');
  return [
    ...ROLES.flatMap((role) => levelRoutes(services, actions, role)),
    ...parents.flatMap((role) => childLevelRoutes(services, actions, role)),
    handle(fetchUserById, async ({ query }, { actor }) => ({ data: await actions.get(actor, { id: query.id }) })),
    countRoute(services),
    belowRoute(services),
    handle(bulkStatus, ({ body }, call) => actions.toggleMany(call, body.ids, body.action)),
    handle(checkRoute, ({ body }, call) => checkImport(services, call, body, hooks)),
    handle(importRoute, ({ body }, call) => importAccounts(services, call, body, hooks)),
    handle(importProgress, async ({ query }, { actor }) => readProgress(actor, query.key)),
    handle(bulkDailyLimit, ({ body }, call) => actions.setDailyLimits(call, body.ids, body.dailyLimit)),
  ];
}

function levelRoutes(services: Services, actions: AccountActions, role: Role): BoundRoute<Actor>[] {
  const routes = accountRoutes[role];
  return [
    handle(routes.create, ({ body }, call) => actions.create(call, role, body)),
    ...serveList(services, accountLists[role], (request: ListRequest<(typeof accountLists)[Role], Actor>) => ({
      ...accountSource(request, role),
      of: () => referenceOf(request),
    })),
    ...serveList(services, olderLists[role], (request: ListRequest<(typeof olderLists)[Role], Actor>) =>
      accountSource(request, role),
    ),
    handle(routes.get, async ({ params }, { actor }) => ({ data: await actions.get(actor, { id: params.id, role }) })),
    handle(routes.update, ({ params, body }, call) => actions.update(call, { id: params.id, role }, body)),
    handle(routes.toggleStatus, ({ params }, call) => actions.toggle(call, { id: params.userId, role }, params.action)),
    handle(routes.remove, ({ params }, call) => actions.remove(call, { id: params.id, role })),
    handle(routes.removeAs, ({ params }, call) => actions.remove(call, { id: params.id, role })),
  ];
}

function childLevelRoutes(services: Services, actions: AccountActions, parentRole: ParentRole): BoundRoute<Actor>[] {
  const routes = childRoutes[parentRole];
  const role = roleBelow(parentRole)!;
  const childOf = (params: { id: string; childId: string }) => ({ id: params.childId, role, parentId: params.id });
  return [
    ...serveList(services, childLists[parentRole], async (request: ListRequest<ChildList, Actor>) => {
      const parent = await actions.get(request.actor, { id: request.params.id, role: parentRole });
      return { ...accountSource(request, role, parent._id), extra: () => ({ parent }) };
    }),
    handle(routes.create, ({ params, body }, call) => actions.create(call, role, body, params.id)),
    handle(routes.get, async ({ params }, { actor }) => ({ data: await actions.get(actor, childOf(params)) })),
    handle(routes.update, ({ params, body }, call) => actions.update(call, childOf(params), body)),
    handle(routes.toggleStatus, ({ params }, call) => actions.toggle(call, childOf(params), params.action)),
    handle(routes.remove, ({ params }, call) => actions.remove(call, childOf(params))),
  ];
}

function countRoute({ db }: Services): BoundRoute<Actor> {
  return handle(userCount, async (_input, { actor }) => {
    const [counts, count] = await Promise.all([countAccounts(db, actor), listPlayers(db, actor, COUNTED_PLAYERS_MAX)]);
    return {
      count,
      countUsers: counts.user ?? 0,
      countAdmins: counts.admin ?? 0,
      countSuperDistributors: counts.superdistributor ?? 0,
      countDistributors: counts.distributor ?? 0,
      countRetailers: counts.retailer ?? 0,
    };
  });
}

function belowRoute({ db }: Services): BoundRoute<Actor> {
  return handle(belowCount, async ({ query }, { actor }) => {
    const counts = await countActiveBelow(db, actor, query.ids);
    if (!counts) throw new CallError('NOT_FOUND');
    return counts;
  });
}
