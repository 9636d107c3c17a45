import { roleAbove, roleBelow } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { ACTIONS, readStaffPath } from '../src/app/routes/staffRoute.ts';
import { basesOf, singlePagesOf } from '../src/app/staffPages.ts';
import type { Network } from './network.ts';

/** One path to walk, and what makes it a page of its own: paths with the same `page` look alike. */
export interface WalkedPath {
  readonly path: string;
  readonly page: string;
}

/** Every path of a role: its single pages, and each of its bases in every shape of the specification, with real ids. */
export function pathsOf(role: Role, network: Network): WalkedPath[] {
  const rests = [
    ...singlePagesOf(role).map(({ page }) => page),
    'profile/statement',
    ...basesOf(role).flatMap(({ base, level }) => {
      const shapes = base === 'game' ? panelShapes(network) : shapesOf(level, network);
      return shapes.map((shape) => [base, ...shape.map(encodeURIComponent)].join('/'));
    }),
    ...(role === 'superadmin' ? [`superadmin/creditadjust/${network.accounts.superadmin._id}`] : []),
  ];
  return rests.flatMap((rest) => {
    const route = readStaffPath(role, rest);
    if (!route) return [];
    const about = 'level' in route ? route.level : 'page' in route ? route.page : '';
    return [{ path: `/${role}/${rest}`, page: `${route.kind} ${about}` }];
  });
}

/** What may follow a base. Without a level any account will do, for such a page does not look at it yet. */
function shapesOf(level: Role | undefined, network: Network): string[][] {
  const idOf = (role: Role | null | undefined) => network.accounts[role ?? 'user']._id;
  const id = idOf(level);
  const parentId = idOf(level && roleAbove(level));
  const childId = idOf(level && roleBelow(level));
  return [
    [],
    ['create'],
    ...ACTIONS.map((action) => [action]),
    ['create', parentId],
    ...ACTIONS.map((action) => [action, id]),
    ['details', id],
    ...['create', ...ACTIONS].map((action) => ['details', id, action]),
    ...ACTIONS.map((action) => ['details', id, action, childId]),
    ...ACTIONS.map((action) => [id, action, id]),
    ...['create', ...ACTIONS].map((action) => [id, action]),
    ...panelShapes(network)
      .map((shape) => ['game', ...shape])
      .slice(1),
  ];
}

/** Under `game` there is the list of the panels, and each panel. */
function panelShapes({ pair }: Network): string[][] {
  return [[], [pair.gameId, pair.adminId, pair.username]];
}
