import { argon2Sync } from 'node:crypto';
import { childRoutes, fetchUserById } from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { bulkDailyLimit, bulkStatus } from '@drawhouse/contract/accounts/bulk-accounts';
import { transferToMany } from '@drawhouse/contract/credit/payouts';
import { bulkPlayerLimit } from '@drawhouse/contract/players/protection';
import { forcedLogout } from '@drawhouse/contract/auth/auth';
import { addResult, generateResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { roleAbove, roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { List } from '@drawhouse/contract/core/list';
import { needsElevation, type Route } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from './contract-routes.ts';
import { TestApp, type As, type Network, type Reply } from '../harness.ts';
import { eachNth } from '../test-tier.ts';
import { PASSWORD } from '../test-password.ts';

/**
 * Every hierarchy and game-operation route × caller role × target relation. One rule below gives expectations,
 * independent of server and contract.
 */

/** Children variants count as their level's own. */
type Does =
  | 'list'
  | 'olderList'
  | 'listChildren'
  | 'read'
  | 'create'
  | 'change'
  | 'toggle'
  | 'remove'
  | 'logout'
  | 'transfer'
  | 'adjust'
  | 'many'
  | 'operate';

interface Subject {
  readonly route: Route;
  readonly does: Does;
  readonly level: Role | null;
}

const LEVEL_ROUTES: Record<keyof (typeof accountRoutes)['admin'], Does> = {
  create: 'create',
  get: 'read',
  toggleStatus: 'toggle',
  update: 'change',
  remove: 'remove',
  removeAs: 'remove',
  creditTransfer: 'transfer',
  creditAdjust: 'adjust',
};
const CHILD_ROUTES: Record<keyof (typeof childRoutes)['admin'], Does> = {
  create: 'create',
  get: 'read',
  update: 'change',
  toggleStatus: 'toggle',
  remove: 'remove',
  creditTransfer: 'transfer',
  creditAdjust: 'adjust',
};

const OPERATING: readonly Route[] = [loadGame, addBalance, addResult, generateResult, voidDraw];

/** With accounts of one level, or of any below the caller. */
const OF_MANY: readonly (readonly [Route, Role | null])[] = [
  [transferToMany, null],
  [bulkStatus, null],
  [bulkDailyLimit, 'retailer'],
  [bulkPlayerLimit, 'user'],
];

const routesOf = ({ route, files }: List): Route[] => [route, ...files.map((file) => file.route)];

const SUBJECTS: Subject[] = [
  ...ROLES.flatMap((role) =>
    Object.entries(accountRoutes[role]).map(([name, route]): Subject => {
      const does = LEVEL_ROUTES[name as keyof typeof LEVEL_ROUTES];
      return { route, does, level: does === 'create' ? roleAbove(role) : role };
    }),
  ),
  ...ROLES.flatMap((role) =>
    routesOf(accountLists[role]).map((route): Subject => ({ route, does: 'list', level: roleAbove(role) })),
  ),
  ...Object.entries(childRoutes).flatMap(([parentRole, routes]) =>
    Object.entries(routes).map(([name, route]): Subject => {
      const does = CHILD_ROUTES[name as keyof typeof CHILD_ROUTES];
      return { route, does, level: does === 'create' ? (parentRole as Role) : roleBelow(parentRole as Role) };
    }),
  ),
  ...Object.entries(childLists).map(([parentRole, { route }]): Subject => ({
    route,
    does: 'listChildren',
    level: parentRole as Role,
  })),
  ...Object.values(olderLists).map(({ route }): Subject => ({ route, does: 'olderList', level: null })),
  { route: fetchUserById, does: 'read', level: null },
  { route: forcedLogout, does: 'logout', level: 'user' },
  ...OF_MANY.map(([route, level]): Subject => ({ route, does: 'many', level })),
  ...OPERATING.map((route): Subject => ({ route, does: 'operate', level: 'admin' })),
];

interface Account {
  readonly _id: string;
  readonly role: Role;
  readonly chain: readonly string[];
}
/** Nephew: child of a sibling. Stranger: same level, other network. */
const RELATIONS = ['self', 'child', 'grandchild', 'parent', 'sibling', 'nephew', 'stranger'] as const;
type Relation = (typeof RELATIONS)[number];

/** THE RULE: expected status by role and target. */
function expectedStatus({ route, does, level }: Subject, caller: Account, target: Account): number {
  if (!mayAtAll({ route, does, level }, caller.role)) return 403;
  const isSelf = target._id === caller._id;
  const isBelow = !isSelf && target.chain.includes(caller._id);
  const isOfLevel = level === null || target.role === level;
  switch (does) {
    case 'list':
      // Lists are never refused; foreign parents give empty lists, checked separately.
      return 200;
    case 'olderList':
      return isSelf ? 200 : 403;
    case 'listChildren':
    case 'read':
    case 'operate':
      return isOfLevel && (isSelf || isBelow) ? 200 : 404;
    case 'create':
      if (level === null) return 403;
      return isOfLevel && (isSelf || isBelow) ? 201 : 404;
    case 'transfer':
    case 'adjust':
      if (isSelf && isOfLevel) return does === 'adjust' && caller.role === 'superadmin' ? 200 : 403;
      return isOfLevel && isBelow ? 200 : 404;
    case 'many':
      if (isSelf && route === transferToMany) return 403;
      if (route === bulkDailyLimit && isBelow) return target.role === 'user' ? 400 : 200;
      return isOfLevel && isBelow ? 200 : 404;
    default:
      return isOfLevel && isBelow ? 200 : 404;
  }
}

function mayAtAll({ route, does, level }: Subject, role: Role): boolean {
  if (does === 'read' && !route.path.includes('/children/')) return true;
  if (does === 'operate') return role === 'superadmin' || role === 'admin';
  if (role === 'user') return false;
  if (does === 'list' || does === 'olderList' || does === 'logout' || does === 'many') return true;
  const lowest = does === 'create' || does === 'listChildren' ? (level ?? 'superadmin') : (roleAbove(level!) ?? level!);
  return ROLES.indexOf(role) <= ROLES.indexOf(lowest);
}

let t: TestApp;
let net: Network;
const accounts = new Map<string, Account>();
const places: Record<'main' | 'siblings' | 'nephews' | 'others', Partial<Record<Role, Account>>> = {
  main: {},
  siblings: {},
  nephews: {},
  others: {},
};

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
  const other = await t.network({ credit: 0 });
  const siblings: Partial<Record<Role, string>> = {};
  const below: Partial<Record<Role, string>> = {};
  for (const role of ROLES.slice(1)) {
    const sibling = await t.make(net.superadmin, { role, refId: net[roleAbove(role)!]._id });
    siblings[role] = sibling._id;
    const child = roleBelow(role);
    if (child) below[role] = (await t.make(net.superadmin, { role: child, refId: sibling._id }))._id;
  }
  await t.give(net.superadmin, net.superadmin, 100_000);
  for (const role of ROLES.slice(1, -1)) await t.give(net.superadmin, net[role], 1000);
  await t.give(net.superadmin, other.admin, 1000);
  for (const { id, role, chain } of await t.db.query<{ id: string; role: Role; chain: string[] }>(
    'select id, role, chain from accounts',
  ))
    accounts.set(id, { _id: id, role, chain });
  for (const role of ROLES) {
    places.main[role] = accounts.get(net[role]._id)!;
    places.others[role] = accounts.get(other[role]._id)!;
    places.siblings[role] = accounts.get(siblings[role] ?? '');
    places.nephews[role] = accounts.get(below[role] ?? '');
  }
  // Credit calls check passwords; a cheap hash keeps the matrix fast.
  await t.byHand('update accounts set password_hash = $1', [cheapHash(PASSWORD)]);
});
afterAll(() => t.close());

function cheapHash(password: string): string {
  const nonce = Buffer.alloc(16, 7);
  const cost = { memory: 8, passes: 1, parallelism: 1 };
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost });
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(tag)}`;
}

function targetOf(caller: Role, relation: Relation, level: Role | null): Account | undefined {
  const index = ROLES.indexOf(caller);
  switch (relation) {
    case 'self':
      return places.main[caller];
    case 'child':
      return places.main[ROLES[index + 1]!];
    case 'grandchild':
      return places.main[ROLES[index + 2]!];
    case 'parent':
      return places.main[ROLES[index - 1]!];
    case 'sibling':
      return places.siblings[caller];
    case 'nephew':
      return places.nephews[caller];
    case 'stranger':
      return places.others[level === null || level === 'superadmin' ? 'admin' : level];
  }
}

let made = 0;

/** The most harmful variant of a refused call. */
function send(
  { route, does }: Subject,
  by: Role,
  target: Account,
  allowed: boolean,
  as: As = net[by],
): Promise<Reply<unknown>> {
  const parent = target.chain.at(-2) ?? target._id;
  // Children variants name the parent in `id`, unless the parent is the target.
  const isChildPath = route.path.includes(':childId');
  const params: Record<string, string> = {
    id: isChildPath ? parent : target._id,
    childId: target._id,
    userId: target._id,
    callerId: net[by]._id,
    action: allowed ? 'activate' : 'deactivate',
  };
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params[name]!);
  const pair = { gameId: 'funtargetbingo', adminId: target._id };
  const query: Partial<Record<Does, string>> = {
    list: `?parentId=${target._id}`,
    olderList: `?id=${target._id}`,
    logout: `?id=${target._id}`,
    read: route === fetchUserById ? `?id=${target._id}` : '',
    operate: route.method === 'GET' ? `?${new URLSearchParams(pair).toString()}` : '',
  };
  const order = { ...(!isChildPath && { toUserId: target._id }), password: PASSWORD };
  // A refused account takes an allowed one along.
  const ids = [...new Set(allowed ? [target._id] : [net.user._id, target._id])];
  const bodies: Partial<Record<Does, object>> = {
    many: {
      ids,
      action: params['action'],
      dailyLimit: allowed ? null : 1,
      limit: 'stakePerDay',
      value: allowed ? null : 1,
      transfers: ids.map((toUserId) => ({ toUserId, amount: 1 })),
      password: PASSWORD,
    },
    create: {
      username: `made-${++made}`,
      password: PASSWORD,
      commission: 0,
      note: 'add notes',
      ...(path.endsWith('/create') && { refId: target._id }),
    },
    change: allowed ? { note: `changed ${++made}` } : { note: 'not to be', userStatus: false, commission: 1 },
    transfer: { ...order, transferAmount: 1 },
    adjust: { ...order, adjustAmount: 1 },
    ...(route.method !== 'GET' && {
      operate: { ...pair, type: 'add', balance: 1, result: '3', boosterValue: 2, reason: 'Wrong ball' },
    }),
  };
  return t.send(route.method, `/api/${path}${query[does] ?? ''}`, as, bodies[does]);
}

async function throwAway(target: Account): Promise<Account> {
  const { _id } = await t.make(net.superadmin, { role: target.role, refId: target.chain.at(-2) });
  return { _id, role: target.role, chain: [...target.chain.slice(0, -1), _id] };
}

const everything = (): Promise<object[]> =>
  t.db.query(
    `select (select json_agg(a order by a.id) from accounts a)::text as accounts,
            (select json_agg(w order by w.network_id, w.id) from wallets w)::text as wallets,
            (select json_agg(d order by d.network_id, d.id) from draws d)::text as draws,
            (select count(*) from transfers) as transfers, (select count(*) from activity) as activity,
            (select json_agg(encode(token_hash, 'hex') order by token_hash) from sessions)::text as sessions`,
  );

interface Case {
  readonly caller: Role;
  readonly relation: Relation;
  readonly target: Account;
  readonly status: number;
}

function casesOf(subject: Subject): Case[] {
  return ROLES.flatMap((caller) =>
    RELATIONS.flatMap((relation): Case[] => {
      const target = targetOf(caller, relation, subject.level);
      if (!target) return [];
      return [{ caller, relation, target, status: expectedStatus(subject, places.main[caller]!, target) }];
    }),
  );
}

const keyOf = ({ route }: Subject, { caller, relation }: Pick<Case, 'caller' | 'relation'>): string =>
  `${nameOf(route)} ${caller} ${relation}`;

/** Routes vary fastest, so a sixth covers different callers and relations per route. */
const SENT: ReadonlySet<string> = new Set(
  eachNth(
    6,
    ROLES.flatMap((caller) =>
      RELATIONS.flatMap((relation) => SUBJECTS.map((subject) => keyOf(subject, { caller, relation }))),
    ),
  ),
);

function sentCasesOf(subject: Subject): Case[] {
  const cases = casesOf(subject);
  const foreign = cases.find(({ relation, status }) => relation === 'stranger' && status >= 400);
  return cases.filter((one) => one === foreign || SENT.has(keyOf(subject, one)));
}

const ENDS_THE_TARGET: ReadonlySet<Does> = new Set<Does>(['remove', 'logout']);

function rowsOf({ body }: Reply<unknown>): { _id: string }[] | null {
  return (body as { data?: { _id: string }[] }).data ?? null;
}

describe('the authorization matrix', () => {
  it('has allowed and refused cases for every route of the hierarchy', () => {
    expect(SUBJECTS).toHaveLength(6 * (8 + 3) + 5 * (7 + 1) + 6 + 2 + 4 + 5);
    expect(SUBJECTS.filter(({ does }) => does === undefined).map(({ route }) => nameOf(route))).toEqual([]);
    const cases = SUBJECTS.flatMap(casesOf);
    expect(cases.length).toBeGreaterThan(3500);
    for (const status of [200, 201, 403, 404])
      expect(cases.filter((one) => one.status === status).length, `with ${status}`).toBeGreaterThan(20);
    for (const relation of RELATIONS)
      expect(new Set(cases.filter((one) => one.relation === relation).map((one) => one.status)).size).toBeGreaterThan(
        1,
      );
  });

  it.each(SUBJECTS.map((subject) => [nameOf(subject.route), subject] as const))('%s', async (name, subject) => {
    const cases = sentCasesOf(subject);
    const wrong: string[] = [];
    const judge = ({ caller, relation, target, status }: Case, reply: Reply<unknown>): void => {
      if (reply.status !== status)
        wrong.push(`${caller} on ${relation} (${target.role}): ${reply.status} instead of ${status}`);
    };

    const before = await everything();
    for (const one of cases.filter(({ status }) => status >= 400))
      judge(one, await send(subject, one.caller, one.target, false));
    expect(await everything(), `${name} changed something by refused calls`).toEqual(before);

    for (const one of cases.filter(({ status }) => status < 400)) {
      const target = ENDS_THE_TARGET.has(subject.does) ? await throwAway(one.target) : one.target;
      if (subject.does === 'operate') await t.finishDraw();
      const reply = await send(subject, one.caller, target, true);
      judge(one, reply);
      if (subject.does !== 'list') continue;
      const foreign = !one.target.chain.includes(net[one.caller]._id);
      if (foreign && (rowsOf(reply)?.length ?? Number(reply.headers['x-total-rows'])) > 0)
        wrong.push(`${one.caller} sees the children of ${one.relation}`);
    }
    expect(wrong).toEqual([]);
  });

  it('refuses every sensitive call without elevation or by cookie', async () => {
    const sensitive = SUBJECTS.filter(({ route }) => needsElevation(route));
    expect(sensitive.length).toBeGreaterThan(50);
    const before = await everything();
    const passed: string[] = [];
    for (const subject of sensitive)
      for (const { caller, target, relation } of casesOf(subject).filter(({ status }) => status < 400)) {
        const { token } = net[caller];
        const byToken = await send(subject, caller, target, true, { token });
        const byCookie = await send(subject, caller, target, true, { ...net[caller], cookie: true });
        if (byToken.body.code !== 'CONFIRM_PASSWORD' || byCookie.status !== 401)
          passed.push(`${nameOf(subject.route)} by ${caller} on ${relation}: ${byToken.status}, ${byCookie.status}`);
      }
    expect(passed).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('leaves the books balanced', () => t.expectBooksToBalance());
});
