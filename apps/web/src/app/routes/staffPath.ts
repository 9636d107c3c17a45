import type { ObjectRef } from '@drawhouse/contract/core/list';
import type { ImportedRole } from '@drawhouse/contract/accounts/bulk-accounts';
import { roleBelow, type Role } from '@drawhouse/contract/core/primitives';
import { ACTION_RIGHTS, type AccountAction } from '../../lib/paths.ts';
import { may } from '../../lib/session/rights.ts';
import type { Permission } from '@drawhouse/contract/core/permissions';
import type { Level } from '../../commonTexts.ts';
import { basesOf, findStaffPage, hasLiveMenu, singlePagesOf, type StaffBase } from '../staffPages.ts';

/** Games have the paths of their panels. */
type ObjectKind = Exclude<ObjectRef['kind'], 'game'>;

export type StaffPath =
  | { kind: 'page'; page: string; rest: readonly string[] }
  | { kind: 'list'; level: Level }
  | { kind: 'create'; level: Level; parentId?: string }
  | { kind: 'chain' }
  | { kind: 'import'; level: ImportedRole }
  | { kind: 'details'; level: Level; id: string }
  | { [Action in AccountAction]: { kind: Action; level: Role; id: string } }[AccountAction]
  | { kind: 'ownStatement' }
  | { [Kind in ObjectKind]: { kind: Kind; id: string } }[ObjectKind]
  | { kind: 'resolve'; action: AccountAction; id: string }
  | { kind: 'live'; gameId: string; adminId: string; username: string }
  | { kind: 'liveList' };

export const ACTIONS: readonly string[] = [
  'edit',
  'credittransfer',
  'creditadjust',
  'statement',
] satisfies AccountAction[];

/**
 * Shapes in the spec: `{base}`, `{base}/{action}`, `{base}/{action}/{any}`, `{base}/details/{any}`,
 * `{base}/details/{any}/{action}`, `{base}/details/{any}/{action}/{id}`, `{base}/{any}/{action}/{id}`,
 * `{base}/game/{gameId}/{adminId}/{username}`.
 */
export function readStaffPath(role: Role, path: string): StaffPath | null {
  const found = readPath(role, path);
  return found && may(NEEDED[found.kind === 'resolve' ? found.action : found.kind] ?? null) ? found : null;
}

/** Needed beyond the right of the page. */
const NEEDED: Partial<Record<StaffPath['kind'], Permission>> = {
  ...ACTION_RIGHTS,
  create: 'accounts',
  chain: 'settings',
  import: 'accounts',
  account: 'lists',
  ticket: 'reports',
  draw: 'reports',
  transaction: 'lists',
  ownStatement: 'lists',
};

function readPath(role: Role, path: string): StaffPath | null {
  const parts = path.split('/').filter((part) => part !== '');
  if (path === 'profile/statement' && findStaffPage(role, 'profile')) return { kind: 'ownStatement' };
  const own = ownCredit(role, parts) ?? readObject(parts);
  if (own) return own;
  const found = baseOf(role, parts);
  if (found) return readBase(role, found, parts.slice(found.base.split('/').length));
  const single = parts.length === 1 ? singlePagesOf(role).find(({ page }) => page === parts[0]) : undefined;
  return single ? { kind: 'page', page: single.page, rest: [] } : null;
}

/** Superadmins issue credit by adjusting their own account. */
function ownCredit(role: Role, parts: readonly string[]): StaffPath | null {
  const [base, action, id] = parts;
  const own = role === 'superadmin' && base === role && action === 'creditadjust' && parts.length === 3;
  return own && id !== undefined ? { kind: 'creditadjust', level: role, id } : null;
}

const OBJECT_KINDS: readonly string[] = ['account', 'ticket', 'draw', 'transaction'] satisfies ObjectKind[];

function readObject([kind = '', id, ...rest]: readonly string[]): StaffPath | null {
  if (id === undefined || rest.length > 0 || !OBJECT_KINDS.includes(kind)) return null;
  return { kind: kind as ObjectKind, id };
}

function baseOf(role: Role, parts: readonly string[]): StaffBase | undefined {
  const two = parts.slice(0, 2).join('/');
  const bases = basesOf(role);
  return bases.find(({ base }) => base === two) ?? bases.find(({ base }) => base === parts[0]);
}

function readBase(role: Role, found: StaffBase, rest: readonly string[]): StaffPath | null {
  const [first, gameId, adminId, username] = rest;
  if (rest.length === 4 && first === 'game' && gameId && adminId && username) {
    return hasLiveMenu(role) ? { kind: 'live', gameId, adminId, username } : null;
  }
  if (found.base === 'game') return readGame(rest);
  if (found.level) return readLevel(found, found.level, rest);
  return hasShape(rest) && findStaffPage(role, found.base) ? { kind: 'page', page: found.base, rest } : null;
}

function readGame(rest: readonly string[]): StaffPath | null {
  const [gameId, adminId, username] = rest;
  if (rest.length === 0) return { kind: 'liveList' };
  return rest.length === 3 && gameId && adminId && username ? { kind: 'live', gameId, adminId, username } : null;
}

function hasShape(rest: readonly string[]): boolean {
  return rest.length < 4 || (rest.length === 4 && rest[0] === 'details');
}

function readLevel(found: StaffBase, level: Level, rest: readonly string[]): StaffPath | null {
  const [first, second, third, fourth] = rest;
  if (first === undefined) return { kind: 'list', level };
  if (first === 'details') return second === undefined ? { kind: 'list', level } : readDetails(level, rest.slice(1));
  if (second === undefined) {
    if (first === 'create') return { kind: 'create', level };
    if (first === 'import' && level !== 'admin') return { kind: 'import', level };
    if (first === 'chain' && level === 'admin' && found.base === level) return { kind: 'chain' };
    return isAction(first) ? { kind: 'list', level } : null;
  }
  if (third === undefined) {
    if (first === 'create') return { kind: 'create', level, parentId: second };
    if (isAction(first)) return { kind: first, level, id: second };
    if (second === 'create') return childOf(level, first);
    return isAction(second) ? { kind: second, level, id: first } : null;
  }
  if (fourth !== undefined || !isAction(second)) return null;
  // With children, the id may belong to this level or the next.
  return found.withChildren ? { kind: 'resolve', action: second, id: third } : { kind: second, level, id: third };
}

function readDetails(level: Level, rest: readonly string[]): StaffPath | null {
  const [id = '', action, childId] = rest;
  if (rest.length > 3) return null;
  if (action === undefined) return { kind: 'details', level, id };
  if (action === 'create') return childOf(level, id);
  if (!isAction(action)) return null;
  if (childId === undefined) return { kind: action, level, id };
  const below = roleBelow(level);
  return below ? { kind: action, level: below, id: childId } : null;
}

function childOf(level: Level, parentId: string): StaffPath | null {
  const below = roleBelow(level) as Level | null;
  return below ? { kind: 'create', level: below, parentId } : null;
}

function isAction(text: string): text is AccountAction {
  return ACTIONS.includes(text);
}
