import { recordPayment } from '@drawhouse/contract/weeks/week-payments';
import { END, valueOf, type CellValue, type ColumnKind, type List } from '@drawhouse/contract/core/list';
import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { fileCellOf, fileColumns } from '@drawhouse/contract/core/list-file';
import { ROLES, STAFF_ROLES, sumPoints, type Role } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { parseCsv, readXlsx } from 'hucre';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTS, nameOf, UNKNOWN_ID } from '../../../test/routes/contract-routes.ts';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { CASES, OWN_NOTICE, type ListCase, type Row } from '../../../test/routes/list-cases.ts';
import { eachNth, perTier, runsOf } from '../../../test/test-tier.ts';

type Query = Readonly<Record<string, string>>;
interface Answer {
  readonly total: number;
  readonly totals?: Readonly<Record<string, number>>;
  readonly older?: string | null;
  readonly newer?: string | null;
  readonly [rowsKey: string]: unknown;
}

const TOO_LONG = 'The end is more than 5 years after the start';

let t: TestApp;
let net: Network;
const chains = new Map<string, readonly string[]>();

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 5000, commissions: { superdistributor: 1, distributor: 1.5, retailer: 2.5 } });
  const other = await t.network({ credit: 300 });
  await t.bet(net.user, { 3: 4, 7: 10 });
  await t.bet(other.user, { 1: 1 });
  for (const [index, role] of STAFF_ROLES.slice(0, -1).entries()) {
    const by = net[role];
    for (let each = 0; each < 4; each++)
      await t.make(by, { username: `Twin_${index}.${each * 5}`, userStatus: each !== 1, commission: each % 2 });
  }
  for (const [by, account] of [
    [net.superadmin, net.admin],
    [net.admin, net.superdistributor],
    [net.distributor, net.retailer],
    [other.retailer, other.user],
  ] as const)
    for (const direction of ['in', 'out'] as const)
      await t.ok(recordPayment, { body: { accountId: account._id, direction, sum: 5, method: 'cash' } }, by);
  t.clock.advance(86_400_000);
  for (const role of ROLES) net[role] = await t.signIn(net[role].username);
  await t.give(net.superadmin, net.superadmin, 1000);
  for (let each = 0; each < 12; each++) {
    const player = await t.make(net.retailer, { username: `player${each * 7}`, userStatus: each % 3 !== 0 });
    if (each % 3 === 0) continue;
    await t.give(net.superadmin, { ...net.user, _id: player._id }, 20 + (each % 4) / 4);
    if (each % 2 === 0) continue;
    const signedIn = await t.signIn(player.username);
    await t.bet(signedIn, { [each % 10]: 1 + (each % 3) });
  }
  await t.finishDraw();
  const notices = [
    ['DRAWS_LATE', `${OWN_NOTICE} 1`, net.admin._id],
    ['DRAWS_LATE', `${OWN_NOTICE} 2`, net.admin._id],
    ['BACKUP_FAILED', `${OWN_NOTICE} 3`, net.admin._id],
    ['BACKUP_FAILED', 'Another network', other.admin._id],
    ['DISK_NEARLY_FULL', 'DATA_DIR', null],
  ];
  for (const [index, [code, key, adminId]] of notices.entries()) {
    const since = new Date(t.clock.now().getTime() - index * 3_600_000);
    await t.db.query(
      `insert into held_notices (id, since, seen_at, ended_at, server_id, admin_id, code, key, found)
       values (gen_random_uuid(), $1, $1, $2, gen_random_uuid(), $3, $4, $5, $6)`,
      [since, index % 2 === 0 ? since : null, adminId, code, key, JSON.stringify({ code, about: key })],
    );
  }
  const requests = [
    ...STAFF_ROLES.slice(1).map((role) => [net[role].username, 'waiting']),
    ['Twin_1.5', 'declined'],
    ['Twin_1.10', 'expired'],
    [other.retailer.username, 'waiting'],
  ];
  for (const [index, [username, state]] of requests.entries())
    await t.db.query(
      `insert into approvals (network_id, number, id, at, expires_at, decided_at, account_id, kind, state, amount, method, path, url, ip,
        subject, input, changes)
       select network_id, $1::int, gen_random_uuid(), $2::timestamptz - $1 * interval '1 minute', $2::timestamptz + interval '1 hour',
        case $3 when 'waiting' then null else $2::timestamptz end, id, 'credit', $3::approval_state, $1 * 150, 'POST', 'none', '', '',
        'Gave points ' || $1, '{}', '[]' from accounts where username = $4`,
      [index + 1, t.clock.now(), state, username],
    );
  for (const { id, username, chain } of await t.db.query<{ id: string; username: string; chain: string[] }>(
    'select id, username, chain from accounts',
  )) {
    chains.set(id, chain);
    chains.set(username, chain);
  }
});
afterAll(() => t.close());

interface Subject {
  readonly list: List;
  readonly is: ListCase;
  readonly by: SignedIn;
  readonly aboutId: string;
}

const caseOf = ({ route }: List): ListCase => CASES[route.path]!;
const subjectOf = (list: List, role: Role): Subject => ({
  list,
  is: caseOf(list),
  by: net[role],
  aboutId: net[caseOf(list).parentRole ?? role]._id,
});

function rolesOf(list: List): Role[] {
  const { access } = list.route;
  const lowest = caseOf(list).parentRole ?? 'user';
  return ROLES.filter(
    (role) => (access === 'session' || access.includes(role)) && ROLES.indexOf(role) <= ROLES.indexOf(lowest),
  );
}

function send({ is, by, aboutId }: Subject, path: string, query: Query) {
  return t.app.http.inject({
    url: `/api/${path.replace(/:\w+/, aboutId)}?${new URLSearchParams({ ...is.query?.(aboutId), ...query }).toString()}`,
    headers: { authorization: `Bearer ${by.token}` },
  });
}

async function ask(subject: Subject, query: Query): Promise<Answer> {
  const reply = await send(subject, subject.list.route.path, query);
  expect(reply.statusCode, `${subject.list.route.path} ${JSON.stringify(query)}: ${reply.body}`).toBe(200);
  return reply.json<Answer>();
}

const rowsOf = ({ list }: Subject, answer: Answer): Row[] => answer[list.rowsKey] as Row[];

async function pagesOf(subject: Subject, query: Query, pageSize: number): Promise<Row[]> {
  const rows: Row[] = [];
  if (subject.list.paging === 'keyset') {
    const [towards, next] = isDescending(subject.list, query)
      ? (['before', 'older'] as const)
      : (['after', 'newer'] as const);
    let cursor: Query = {};
    for (;;) {
      const answer = await ask(subject, { ...query, ...cursor, pageSize: `${pageSize}` });
      rows.push(...rowsOf(subject, answer));
      if (answer[next] == null) return rows;
      expect(rowsOf(subject, answer)).toHaveLength(pageSize);
      cursor = { [towards]: answer[next] };
    }
  }
  for (let page = 1; ; page++) {
    const answer = await ask(subject, { ...query, page: `${page}`, pageSize: `${pageSize}` });
    const found = rowsOf(subject, answer);
    expect(found).toHaveLength(Math.max(0, Math.min(pageSize, answer.total - rows.length)));
    rows.push(...found);
    if (found.length < pageSize) return rows;
  }
}

const wholeOf = (subject: Subject): Promise<Row[]> => pagesOf(subject, {}, 500);

async function pagesBack(subject: Subject, query: Query, pageSize: number): Promise<Row[]> {
  const [towards, next] = isDescending(subject.list, query)
    ? (['after', 'newer'] as const)
    : (['before', 'older'] as const);
  let cursor: Query = { [towards]: END };
  const rows: Row[] = [];
  for (;;) {
    const answer = await ask(subject, { ...query, ...cursor, pageSize: `${pageSize}` });
    rows.unshift(...rowsOf(subject, answer));
    if (answer[next] == null) return rows;
    cursor = { [towards]: answer[next] };
  }
}

const isDescending = (list: List, query: Query): boolean => (query['sort'] ?? list.order).startsWith('-');

const NAMES = new Set(['username', 'gameName', 'refId']);
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function sorted({ list, is }: Subject, rows: readonly Row[], sort: string): Row[] {
  if (list.paging === 'keyset') return sort === list.order ? [...rows] : rows.toReversed();
  const name = sort.replace('-', '');
  const column = list.columns.find((each) => each.name === name)!;
  const value = (is.order?.[name] ?? ((row: never) => valueOf(column, row))) as (row: Row) => unknown;
  const key = is.key as (row: Row) => string;
  const ofTexts = NAMES.has(name) ? natural.compare : (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const compare = (a: unknown, b: unknown): number => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? -1 : 1;
    if (typeof a === 'string') return ofTexts(a.toLowerCase(), (b as string).toLowerCase());
    return Number(a) - Number(b);
  };
  const direction = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => direction * (compare(value(a), value(b)) || (key(a) < key(b) ? -1 : 1)));
}

function kept({ list, is }: Subject, rows: readonly Row[], query: Query): Row[] {
  const keeps = list.filters.flatMap((filter) => {
    const [first, second] = Object.keys(filter.fields).map((field) => query[field]);
    if (filter.kind === 'period' || (first === undefined && second === undefined)) return [];
    const look = is.filters![filter.name] as (row: Row) => unknown;
    if (filter.kind === 'choice' || filter.kind === 'id') return [(row: Row) => look(row) === first];
    const measure = (value: unknown): number =>
      filter.kind === 'points' ? Number(value) : Date.parse(value as string);
    return [
      (row: Row) =>
        (first === undefined || measure(look(row)) >= measure(first)) &&
        (second === undefined || measure(look(row)) <= measure(second)),
    ];
  });
  const text = query['search']?.toLowerCase();
  if (text !== undefined && list.search !== undefined)
    keeps.push((row) =>
      (is.searched as unknown as (row: Row) => string[])(row).some((each) => each.toLowerCase().includes(text)),
    );
  return rows.filter((row) => keeps.every((keep) => keep(row)));
}

function valuesOf(subject: Subject, filter: ListFilter, rows: readonly Row[]): fc.Arbitrary<Query> {
  const [first, second] = Object.keys(filter.fields) as [string, string | undefined];
  if (filter.kind === 'period') return fc.constant({});
  const choices = subject.is.choices?.[filter.name]?.(subject.by.role) ?? Object.keys(filter.options ?? {});
  if (filter.options) return fc.constantFrom(...choices).map((value) => ({ [first]: value }));
  const look = subject.is.filters![filter.name] as (row: Row) => unknown;
  const values = [...new Set(rows.map(look))].filter((value) => value != null).map(String);
  if (filter.kind === 'id') return fc.constantFrom(...values, UNKNOWN_ID).map((value) => ({ [first]: value }));
  const end = fc.option(fc.constantFrom(...values, filter.kind === 'points' ? '12.5' : PAST), { nil: undefined });
  return fc.tuple(end, end).map(([a, b]): Query => {
    const ordered = [a, b].filter((value) => value !== undefined);
    ordered.sort((x, y) => (filter.kind === 'points' ? Number(x) - Number(y) : x < y ? -1 : 1));
    if (ordered.length === 2) return { [first]: ordered[0]!, [second!]: ordered[1]! };
    return ordered.length === 0 ? {} : { [a === undefined ? second! : first]: ordered[0]! };
  });
}
const PAST = '2026-01-01T00:00:00.000Z';

function queries(subject: Subject, rows: readonly Row[]): fc.Arbitrary<Query> {
  const { list, is } = subject;
  const sorts = list.sorts.flatMap((name) => [name, `-${name}`]);
  const sort = sorts.length === 0 ? fc.constant({}) : fc.constantFrom({}, ...sorts.map((each) => ({ sort: each })));
  const texts = rows.slice(0, 20).flatMap((row) => (is.searched as ((row: Row) => string[]) | undefined)?.(row) ?? []);
  const search =
    list.search === undefined || texts.length === 0
      ? fc.constant({})
      : fc.constantFrom({}, {}, ...texts.map((text) => ({ search: text.slice(1, 5) })), { search: '%' });
  const filters = list.filters.map((filter) => fc.oneof(fc.constant({}), valuesOf(subject, filter, rows)));
  return fc.tuple(sort, search, ...filters).map((parts) => Object.assign({}, ...parts) as Query);
}

const totalsOf = ({ list }: Subject, rows: readonly Row[]) =>
  list.totals.length === 0
    ? undefined
    : Object.fromEntries(list.totals.map((name) => [name, sumPoints(rows.map((row) => row[name] as number))]));

const CELL_TYPES: Partial<Record<ColumnKind, string>> = {
  points: 'number',
  percent: 'number',
  count: 'number',
  time: 'date',
  day: 'date',
};
const isEmpty = (cell: unknown): boolean => cell === null || cell === undefined || cell === '';
const typeOfCell = (cell: unknown): string => (isEmpty(cell) ? 'string' : cell instanceof Date ? 'date' : typeof cell);

const text = (line: readonly unknown[]): string[] =>
  line.map((cell) =>
    cell instanceof Date
      ? cell.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
      : `${(cell ?? '') as CellValue}`,
  );

it('covers every list of the contract', () => {
  expect(Object.keys(CASES).sort()).toEqual(LISTS.map(({ route }) => route.path).sort());
});

/** `npm test` covers a sixth. */
const sampled = eachNth(
  6,
  LISTS.flatMap((list) => rolesOf(list).map((role) => [list, role] as const)),
);

describe.each(LISTS.map((list) => [nameOf(list.route), list] as const))('%s', (_name, list) => {
  it.each(rolesOf(list))('shows a %s exactly its subtree', async (role) => {
    const subject = subjectOf(list, role);
    const whole = await wholeOf(subject);
    const top = await wholeOf({ ...subject, by: net.superadmin });
    const { owner, owners, isSeen, hasOwn = false } = subject.is;
    const own = top.filter((row) => {
      if (isSeen) return isSeen(row as never, role);
      if (owners)
        return owners(row as never).some((id) => id !== null && chains.get(id)?.includes(subject.by._id) === true);
      const chain = chains.get((owner as ((row: Row) => string) | undefined)?.(row) ?? subject.aboutId);
      return chain?.includes(subject.by._id) === true && (hasOwn || chain.at(-1) !== subject.by._id);
    });
    const keys = (rows: readonly Row[]): string[] => rows.map(subject.is.key as (row: Row) => string).sort();
    expect(keys(whole)).toEqual(keys(own));
  });

  it.each(sampled.filter(([of]) => of === list).map(([, role]) => role))(
    'lets a %s combine order, filters, search and pages',
    async (role) => {
      const subject = subjectOf(list, role);
      const whole = await wholeOf(subject);
      const orders = list.sorts.flatMap((name) => [name, `-${name}`]);
      for (const sort of role === 'superadmin' ? orders : [])
        expect(await pagesOf(subject, { sort }, 7), `by ${sort}`).toEqual(sorted(subject, whole, sort));
      await fc.assert(
        fc.asyncProperty(queries(subject, whole), fc.integer({ min: 3, max: 40 }), async (query, pageSize) => {
          const expected = sorted(subject, kept(subject, whole, query), query['sort'] ?? list.order);
          expect(await pagesOf(subject, query, pageSize)).toEqual(expected);
          if (list.paging === 'keyset') expect(await pagesBack(subject, query, pageSize)).toEqual(expected);
          const { total, totals } = await ask(subject, { ...query, pageSize: '1' });
          expect([total, totals]).toEqual([expected.length, totalsOf(subject, expected)]);
        }),
        { numRuns: perTier(3, 8) },
      );
    },
  );

  it('names errors in its query', async () => {
    const subject = subjectOf(list, 'superadmin');
    const period = list.filters.find(({ kind }) => kind === 'period');
    const wrong: [string, string][] = [
      ['pageSize', '501'],
      ['page', list.paging === 'pages' ? '0' : '2'],
      ...(list.paging === 'pages' ? ([['before', '0']] as [string, string][]) : []),
      ['sort', 'password'],
      ...[...list.filters, ...(period ? [period] : [])].flatMap(({ fields }) =>
        Object.keys(fields).map((field): [string, string] => [field, 'x']),
      ),
    ];
    for (const [field, value] of wrong) {
      const reply = await send(subject, list.route.path, { [field]: value });
      expect([reply.statusCode, Object.keys(reply.json<{ fields: object }>().fields)]).toEqual([400, [field]]);
    }
    for (const { fields, wrong: wrongTogether, kind } of list.filters) {
      const [from, to] = Object.keys(fields);
      if (!wrongTogether) continue;
      const refused =
        kind === 'points'
          ? [['9', '8.99', 'The maximum is less than the minimum'] as const]
          : [
              ['2026-03-10T00:00:00.000Z', '2026-03-09T23:59:59.999Z', 'The end is before the start'] as const,
              ['2020-03-10T00:00:00.000Z', '2025-03-10T03:00:00.000Z', TOO_LONG] as const,
            ];
      for (const [least, most, sentence] of refused) {
        const reply = await send(subject, list.route.path, { [from!]: least, [to!]: most });
        expect([reply.statusCode, reply.json<{ fields: object }>().fields]).toEqual([400, { [to!]: sentence }]);
      }
    }
  });
});

it.each(LISTS.filter(({ paging }) => paging === 'keyset').map((list) => [nameOf(list.route), list] as const))(
  '%s returns page=1 first and no other page by number',
  async (_name, list) => {
    const subject = subjectOf(list, 'superadmin');
    const whole = await wholeOf(subject);
    for (const sort of list.sorts.length > 0 ? [list.order, list.order.replace(/^-/, '')] : [undefined]) {
      const order = sort !== undefined && { sort };
      const numbered = await ask(subject, { ...order, page: '1', pageSize: '3' });
      expect(numbered).toEqual(await ask(subject, { ...order, pageSize: '3' }));
      expect(rowsOf(subject, numbered)).toEqual(sorted(subject, whole, sort ?? list.order).slice(0, 3));
    }
    expect(rowsOf(subject, await ask(subject, { page: '1' })).length).toBeLessThanOrEqual(50);
    const sentences = async (query: Query) =>
      (await send(subject, list.route.path, query)).json<{ fields: object }>().fields;
    expect(await sentences({ page: '2' })).toEqual({
      page: 'Only the first page has a number: send page=1, or send before with the value that the last page returned as older',
    });
    const both = 'Send page or before, not both';
    expect(await sentences({ page: '1', before: END })).toEqual({ page: both, before: both });
  },
);

describe.each(LISTS.filter(({ files }) => files.length > 0).map((list) => [nameOf(list.route), list] as const))(
  'exports of %s',
  (_name, list) => {
    it("contain the list's rows", async () => {
      for (const role of rolesOf(list).filter((each) => each === 'superadmin' || each === 'distributor')) {
        const subject = subjectOf(list, role);
        const whole = await wholeOf(subject);
        await fc.assert(
          fc.asyncProperty(queries(subject, whole), async (query) => {
            const columns = fileColumns(list);
            const order = query['sort'] ?? list.file!.order ?? list.order;
            const rows = sorted(subject, kept(subject, whole, query), order);
            const inZone = new Intl.DateTimeFormat('sv-SE', {
              dateStyle: 'short',
              timeStyle: 'medium',
              timeZone: 'America/Lima',
            });
            const lines = rows.map((row, index) => [
              ...(list.file!.numbered ? [index + 1] : []),
              ...columns.map((column) => fileCellOf(column, row, (iso) => inZone.format(new Date(iso)))),
            ]);
            const sums = totalsOf(subject, rows);
            if (sums) {
              const cells = columns.map((column, index) => sums[column.name] ?? (index === 0 ? 'Total' : ''));
              lines.push(list.file!.numbered ? ['', ...cells] : cells);
            }
            for (const { format, route } of list.files) {
              const reply = await send(subject, route.path, { ...query, timeZone: 'America/Lima' });
              expect(reply.statusCode).toBe(200);
              expect(reply.headers['content-disposition']).toMatch(new RegExp(`\\.${format}"$`));
              expect(reply.headers['x-total-rows']).toBe(String(lines.length + (caseOf(list).hasEnds ? 2 : 0)));
              const cells =
                format === 'csv'
                  ? parseCsv(reply.rawPayload.toString()).slice(1)
                  : (await readXlsx(new Uint8Array(reply.rawPayload))).sheets[0]!.rows.slice(1);
              const found = caseOf(list).hasEnds ? cells.slice(1, -1) : cells;
              if (format === 'xlsx')
                for (const line of found.slice(0, rows.length))
                  for (const [index, cell] of line.slice(-columns.length).entries()) {
                    const { kind, header } = columns[index]!;
                    const type = isEmpty(cell) ? 'string' : (CELL_TYPES[kind] ?? typeOfCell(cell));
                    expect([header, typeOfCell(cell)]).toEqual([header, type]);
                  }
              expect(found.map(text)).toEqual(lines.map(text));
            }
          }),
          { numRuns: runsOf(3) },
        );
      }
    });
  },
);
