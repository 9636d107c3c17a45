import { roleBelow } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { readStaffPath } from '../src/app/routes/staffRoute.ts';
import { basesOf, singlePagesOf } from '../src/app/staffPages.ts';
import type { Network } from './network.ts';

/** One path to walk, and what makes it a page of its own: paths with the same `page` look alike. */
export interface WalkedPath {
  readonly path: string;
  readonly page: string;
}

const ACTIONS = ['edit', 'credittransfer', 'creditadjust'];

/** Every path of a role: its single pages, and each of its bases in every shape of the specification, with real ids. */
export function pathsOf(role: Role, network: Network): WalkedPath[] {
  const rests = [
    ...singlePagesOf(role).map(({ page }) => page),
    ...basesOf(role).flatMap(({ base, level }) => shapesOf(level, network).map((shape) => [base, ...shape].join('/'))),
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
  const below = level && roleBelow(level);
  const id = network.accounts[level ?? 'user']._id;
  const childId = network.accounts[below ?? 'user']._id;
  const { gameId, adminId, username } = network.pair;
  return [
    [],
    ['create'],
    ...ACTIONS.map((action) => [action]),
    ['create', id],
    ...ACTIONS.map((action) => [action, id]),
    ['details', id],
    ...['create', ...ACTIONS].map((action) => ['details', id, action]),
    ...ACTIONS.map((action) => ['details', id, action, childId]),
    ...ACTIONS.map((action) => [id, action, id]),
    [id, 'edit'],
    ['game', gameId, adminId, username],
    [gameId, adminId, username],
  ].map((shape) => shape.map(encodeURIComponent));
}
