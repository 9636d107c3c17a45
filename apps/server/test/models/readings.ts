import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import { XLSX_TYPE } from '@drawhouse/contract/core/list';
import { roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { Route } from '@drawhouse/contract/core/route';
import { identityFieldsOf } from '../../src/accounts/read/caller-identity-fields.ts';
import { jsonSchemaOf } from '../../src/platform/http/openapi.ts';
import { LISTS, READS } from '../routes/contract-routes.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';

export interface Reading {
  readonly path: string;
  readonly url: string;
  readonly isLeast: boolean;
}

export type Names = Readonly<Record<string, string>>;

type Query = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, { readonly enum?: readonly string[] }>>;

const FILES: ReadonlySet<unknown> = new Set(LISTS.flatMap(({ files }) => files.map(({ route }) => route)));

const PERIOD: Query = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };

/** Ambiguous fields by path. New routes with other fields need a line. */
const CALLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'counts/below': { ids: 'child' },
  'game/:id': { id: 'gameRow' },
  'time/:id': { id: 'time' },
  'schedule/:id': { id: 'schedule' },
  'logs/getUserLogById/:id': { id: 'logRow' },
  'reports/transaction/:id': { id: 'transferId' },
  'result/lottojodicross': { gameId: 'jodi' },
  'apikeys/:keyId/days': { keyId: 'apiKey' },
  'logins/:number/sessions': { number: 'login' },
  'players/:playerId/protection': { playerId: 'player' },
  'players/:playerId/protection/history': { playerId: 'player' },
  'app/nextdrawnew': { adminId: 'adminId' },
  'app/results': { adminId: 'adminId' },
  'app/gettimer': { adminId: 'adminId' },
};

/** About accounts of another cell, which these worlds lack. */
const OF_OTHER_CELLS: readonly string[] = ['credit/distantadmin/:id'];

/** Every read call of a role about its own data, with all options. */
export function readingsOf(role: Role, own: Network, names: Names): Reading[] {
  return READS.filter(
    ({ access, path }) => !OF_OTHER_CELLS.includes(path) && (typeof access === 'string' || access.includes(role)),
  ).flatMap((route) => {
    const level = levelOf(route);
    if (level && ROLES.indexOf(level) < ROLES.indexOf(role)) return [];
    const valueOf = (field: string): string => {
      const { [field]: called = field } = CALLED[route.path] ?? {};
      const value =
        level && called === 'id'
          ? own[level]._id
          : level && called === 'childId'
            ? own[roleBelow(level)!]._id
            : names[called];
      if (value === undefined)
        throw new Error(`GET ${route.path} needs an example of its ${field}: name it in readings.ts`);
      return value;
    };
    const path = route.path.replace(/:(\w+)/g, (_all, field: string) => valueOf(field));
    return queriesOf(route, valueOf).map((query, index): Reading => {
      const search = new URLSearchParams(query).toString();
      return { path: route.path, url: `/api/${path}${search && `?${search}`}`, isLeast: index === 0 };
    });
  });
}

function levelOf({ path }: Route): Role | undefined {
  return ROLES.find((role) => path.startsWith(`${ROLE_PREFIX[role]}/:id`));
}

/** Minimal query, then each option added separately. */
function queriesOf(route: Route, valueOf: (field: string) => string): Query[] {
  if (!route.query) return [{}];
  const { properties = {} } = jsonSchemaOf(route.query, 'input') as { properties?: Fields };
  const wanted = route.query.safeParse({}).error?.issues.map(({ path: [field] }) => String(field)) ?? [];
  const missing = [...wanted, ...Object.keys(CALLED[route.path] ?? {}).filter((field) => properties[field])];
  const least: Query = Object.fromEntries(missing.map((field) => [field, PERIOD[field] ?? valueOf(field)]));
  const claims = identityFieldsOf(route).map(({ field }) => field);
  const optional = Object.keys(properties).filter((field) => !missing.includes(field) && !claims.includes(field));
  const period = optional.includes('startDate') && optional.includes('endDate') ? [PERIOD] : [];
  if (FILES.has(route)) return [{ ...least, ...period[0] }];
  const options = [...period, ...optional.flatMap((field) => askedFor(route, field, properties[field]!, valueOf))];
  return [least, ...options.map((query) => ({ ...least, ...query }))];
}

/** Fields that filter or search. Others only order, page or format. */
const LOOKED_FOR: Readonly<Record<string, string>> = {
  id: 'child',
  parentId: 'id',
  userId: 'player',
  accountId: 'child',
  gameId: 'gameId',
  drawId: 'drawId',
  'reports/liability id': 'adminId',
  'reports/liability/days id': 'adminId',
};

function askedFor({ path }: Route, field: string, schema: Fields[string], valueOf: (field: string) => string): Query[] {
  if (field === 'sort' || field === 'role') return [];
  if (field === 'search') return [{ search: 'e' }];
  if (schema.enum) return schema.enum.map((value) => ({ [field]: value }));
  const called = LOOKED_FOR[`${path} ${field}`] ?? LOOKED_FOR[field];
  return called === undefined ? [] : [{ [field]: valueOf(called) }];
}

export interface Answer {
  readonly head: string;
  readonly body: Buffer;
}

const HEADS = ['content-type', 'content-disposition', 'x-total-rows', 'x-about'];
const AT_ONCE = 8;

export async function readAll(t: TestApp, by: SignedIn, readings: readonly Reading[]): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const left = [...readings];
  const readNext = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) answers.set(next.url, await read(t, by, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  return answers;
}

async function read(t: TestApp, { role, token }: SignedIn, { path, url, isLeast }: Reading): Promise<Answer> {
  const { statusCode, headers, rawPayload } = await t.app.http.inject({
    url,
    headers: { authorization: `Bearer ${token}` },
  });
  if (statusCode !== 200 && (isLeast || statusCode !== 400))
    throw new Error(
      `GET ${path} needs another example in readings.ts: ${url} of a ${role} answered ${statusCode} ${rawPayload.toString()}`,
    );
  return {
    head: HEADS.map((name) => `${name}: ${String(headers[name])}`).join('\n'),
    body: statusCode === 200 ? rawPayload : Buffer.from(rawPayload.toString().replace(/"requestId":"\w+"/, '')),
  };
}

export function differencesOf(
  readings: readonly Reading[],
  before: ReadonlyMap<string, Answer>,
  after: ReadonlyMap<string, Answer>,
): { path: string; change: string }[] {
  return readings.flatMap(({ path, url }) => {
    const [was, is] = [before.get(url)!, after.get(url)!];
    if (was.head === is.head && was.body.equals(is.body)) return [];
    const isText = !was.head.includes(XLSX_TYPE);
    return [{ path, change: isText ? `${url}: ${differenceOf(textOf(was), textOf(is))}` : url }];
  });
}

const textOf = ({ head, body }: Answer): string => `${head}\n${body.toString()}`;

function differenceOf(was: string, is: string): string {
  let from = 0;
  while (from < was.length && was[from] === is[from]) from++;
  const around = (text: string): string => text.slice(Math.max(0, from - 40), from + 60);
  return `${around(was)} became ${around(is)}`;
}
