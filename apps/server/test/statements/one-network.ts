import { hasSqlDetails, loadModule, parseSync } from 'libpg-query';
import { isKeyedByNetwork } from '../../src/config/tables/table-owner.ts';
import { TABLE_OWNERS } from '../../src/config/tables/table-owners.ts';

await loadModule();

const NETWORK_TABLES: ReadonlySet<string> = new Set(
  Object.entries(TABLE_OWNERS).flatMap(([table, use]) => (isKeyedByNetwork(use) ? [table] : [])),
);

export interface Stray {
  readonly table: string;
  readonly part: string;
  readonly near: string;
  readonly mend: string;
}

/** Strays, and network names used: `$1` or numbers. */
export interface Judgement {
  readonly strays: readonly Stray[];
  readonly names: readonly string[];
}

type Node = { readonly [key: string]: unknown };

interface Source {
  readonly alias: string;
  readonly table: string | undefined;
  readonly at: number;
}

interface Reading {
  readonly text: Buffer;
  readonly strays: Stray[];
  readonly names: Set<string>;
}

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'] as const;

/**
 * Judges a statement as a PostgreSQL distributed by network would. Each query, CTE, subquery or change must restrict
 * every network table by `network_id = $n`, directly or by join; inserted rows need `$n` too. Invalid SQL has no
 * strays, because execution reports it.
 */
export function judge(sql: string): Judgement {
  const reading: Reading = { text: Buffer.from(sql), strays: [], names: new Set() };
  for (const { stmt } of parse(sql)) findQueries(stmt, 'the statement itself', new Set(), reading);
  return { strays: reading.strays, names: [...reading.names] };
}

const ANY_TABLE = new RegExp(`\\b(?:${[...NETWORK_TABLES].join('|')})\\b`);

function parse(sql: string): readonly { readonly stmt: Node }[] {
  if (!ANY_TABLE.test(sql)) return [];
  try {
    return (parseSync(sql) as { stmts?: { stmt: Node }[] }).stmts ?? [];
  } catch (error) {
    if (hasSqlDetails(error)) return [];
    throw error;
  }
}

function findQueries(node: unknown, part: string, ctes: ReadonlySet<string>, reading: Reading): void {
  if (Array.isArray(node)) for (const one of node) findQueries(one, part, ctes, reading);
  if (!isNode(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (!isNode(value) && !Array.isArray(value)) continue;
    if (isQuery(key)) judgeQuery(key, value as Node, part, ctes, reading);
    else if (key === 'RangeSubselect') findQueries(value, `the subquery "${aliasOf(value as Node)}"`, ctes, reading);
    else if (key === 'SubLink') findQueries(value, 'a subquery', ctes, reading);
    else findQueries(value, part, ctes, reading);
  }
}

function judgeQuery(kind: string, query: Node, part: string, outer: ReadonlySet<string>, reading: Reading): void {
  const ctes = judgeCtes(query, outer, reading);
  if (isNode(query['larg']) && isNode(query['rarg'])) {
    for (const arm of ['larg', 'rarg']) judgeQuery('SelectStmt', query[arm] as Node, part, ctes, reading);
    return;
  }
  const level = readLevel(query, ctes);
  for (const source of level.sources) {
    if (source.table === undefined) continue;
    const name = level.networkOf(source);
    if (name !== undefined) reading.names.add(name);
    else
      addStray(reading, source, part, `say ${source.alias}.network_id = $n in the WHERE or the ON of this very part`);
  }
  if (kind === 'InsertStmt') judgeInsert(query, part, ctes, reading);
  if (kind === 'UpdateStmt' && targetsOf(query).some(({ name }) => name === 'network_id' && level.sources[0]?.table))
    addStray(reading, level.sources[0]!, part, 'add the row anew, for a row keeps its network');
  const { withClause: _with, ...rest } = query;
  const within = kind === 'InsertStmt' ? 'what is read for the INSERT' : part;
  for (const [key, value] of Object.entries(rest))
    findQueries({ [key]: value }, isQuery(Object.keys((value as Node) ?? {})[0] ?? '') ? within : part, ctes, reading);
}

/** Returns CTE names, which shadow tables. */
function judgeCtes(query: Node, outer: ReadonlySet<string>, reading: Reading): ReadonlySet<string> {
  const { ctes = [], recursive = false } = (query['withClause'] ?? {}) as { ctes?: Node[]; recursive?: boolean };
  let known = outer;
  for (const cte of ctes) {
    const { ctename, ctequery } = cte['CommonTableExpr'] as { ctename: string; ctequery: Node };
    const withIt = new Set([...known, ctename]);
    findQueries(ctequery, `the CTE "${ctename}"`, recursive ? withIt : known, reading);
    known = withIt;
  }
  return known;
}

interface Level {
  readonly sources: readonly Source[];
  networkOf(source: Source): string | undefined;
  valueOf(expression: unknown): string | undefined;
}

function readLevel(query: Node, ctes: ReadonlySet<string>): Level {
  const sources: Source[] = [];
  const conditions: unknown[] = [query['whereClause'], query['joinCondition']];
  const shared: string[] = [];
  const read = (item: unknown): void => {
    if (!isNode(item)) return;
    const { RangeVar: table, JoinExpr: join, RangeSubselect: sub, RangeFunction: call } = item as Record<string, Node>;
    if (table) sources.push(sourceOf(table, ctes));
    if (sub ?? call) sources.push({ alias: aliasOf((sub ?? call)!), table: undefined, at: 0 });
    if (!join) return;
    read(join['larg']);
    read(join['rarg']);
    conditions.push(join['quals']);
    for (const { String: column } of (join['usingClause'] ?? []) as { String: { sval: string } }[])
      shared.push(column.sval);
  };
  if (isNode(query['relation']) && !('cols' in query || 'selectStmt' in query)) read({ RangeVar: query['relation'] });
  for (const list of ['fromClause', 'usingClause', 'sourceRelation'])
    for (const item of Array.isArray(query[list]) ? query[list] : [query[list]]) read(item);

  const same = new Classes();
  const keyOf = (expression: unknown): string | undefined => keyIn(expression, sources);
  for (const column of shared)
    for (const { alias } of sources) same.join(`${sources[0]!.alias}.${column}`, `${alias}.${column}`);
  for (const [left, right] of conditions.flatMap(equalities)) {
    const [one, other] = [keyOf(left), keyOf(right)];
    if (one !== undefined && other !== undefined) same.join(one, other);
  }
  const named = (key: string): string | undefined => same.of(key).find((one) => /^[$=]/.test(one));
  return {
    sources,
    networkOf: ({ alias }) => named(`${alias}.network_id`),
    valueOf: (expression) => {
      const key = keyOf(expression);
      return key === undefined ? undefined : named(key);
    },
  };
}

function sourceOf(table: Node, ctes: ReadonlySet<string>): Source {
  const name = String(table['relname']);
  const isCte = table['schemaname'] === undefined && ctes.has(name);
  return {
    alias: aliasOf(table) || name,
    table: !isCte && NETWORK_TABLES.has(name) ? name : undefined,
    at: Number(table['location'] ?? 0),
  };
}

function judgeInsert(query: Node, part: string, ctes: ReadonlySet<string>, reading: Reading): void {
  const target = sourceOf(query['relation'] as Node, new Set());
  if (target.table === undefined) return;
  const place = ((query['cols'] ?? []) as Node[]).findIndex(
    (one) => (one['ResTarget'] as Node)['name'] === 'network_id',
  );
  const says = (values: readonly (string | undefined)[]): void => {
    if (place >= 0 && values.length > 0 && values.every((value) => value !== undefined))
      for (const value of values) reading.names.add(value);
    else addStray(reading, target, part, `add $n as the network_id of each row of ${target.table}`);
  };
  const arms = (select: Node, known: ReadonlySet<string>): (string | undefined)[] => {
    const inside = new Set([...known, ...cteNames(select)]);
    if (isNode(select['larg']) && isNode(select['rarg']))
      return [...arms(select['larg'], inside), ...arms(select['rarg'], inside)];
    const rows = (select['valuesLists'] ?? []) as { List: { items: unknown[] } }[];
    const level = readLevel(select, inside);
    if (rows.length > 0) return rows.map(({ List: { items } }) => level.valueOf(items[place]));
    return [level.valueOf(targetsOf(select)[place]?.value)];
  };
  says(place < 0 ? [] : arms((query['selectStmt'] as Node)['SelectStmt'] as Node, ctes));
}

const cteNames = (query: Node): string[] =>
  (((query['withClause'] ?? {}) as Node)['ctes'] as Node[] | undefined)?.map((cte) =>
    String((cte['CommonTableExpr'] as Node)['ctename']),
  ) ?? [];

const targetsOf = (query: Node): { name: unknown; value: unknown }[] =>
  ((query['targetList'] ?? []) as Node[]).map((one) => {
    const { name, val } = one['ResTarget'] as Node;
    return { name, value: val };
  });

/** `a = b`, `(a, b) = (c, d)`, joined by AND. */
function equalities(condition: unknown): [unknown, unknown][] {
  if (!isNode(condition)) return [];
  const { BoolExpr: both, A_Expr: compared } = condition as Record<string, Node>;
  if (both) return both['boolop'] === 'AND_EXPR' ? (both['args'] as unknown[]).flatMap(equalities) : [];
  const { kind, name, lexpr, rexpr } = (compared ?? {}) as Record<string, unknown>;
  if (kind !== 'AEXPR_OP' || (name as { String: { sval: string } }[]).at(-1)?.String.sval !== '=') return [];
  const [left, right] = [itemsOf(lexpr), itemsOf(rexpr)];
  if (left && right) return left.map((item, at) => [item, right[at]]);
  return [[lexpr, rexpr]];
}

const itemsOf = (expression: unknown): unknown[] | undefined =>
  isNode(expression)
    ? (((expression['RowExpr'] as Node | undefined)?.['args'] as unknown[] | undefined) ?? undefined)
    : undefined;

/** `alias.column`, `$n`, or `=` and a constant. Undefined otherwise, and for outer columns. */
function keyIn(expression: unknown, sources: readonly Source[]): string | undefined {
  if (!isNode(expression)) return undefined;
  const {
    TypeCast: cast,
    ParamRef: parameter,
    A_Const: constant,
    ColumnRef: column,
  } = expression as Record<string, Node>;
  if (cast) return keyIn(cast['arg'], sources);
  if (parameter) return `$${Number(parameter['number'])}`;
  if (constant) {
    const { ival, sval } = constant as { readonly ival?: { ival?: number }; readonly sval?: { sval?: string } };
    return ival ? `=${ival.ival ?? 0}` : sval && `=${sval.sval ?? ''}`;
  }
  const names = ((column?.['fields'] ?? []) as { String?: { sval: string } }[]).map((field) => field.String?.sval);
  if (names.length === 2 && sources.some(({ alias }) => alias === names[0])) return names.join('.');
  if (names.length !== 1) return undefined;
  const ofNetworks = sources.filter(({ table }) => table !== undefined);
  const only = sources.length === 1 ? sources : ofNetworks;
  return only.length === 1 ? `${only[0]!.alias}.${names[0]}` : undefined;
}

class Classes {
  readonly #classes = new Map<string, string[]>();

  join(one: string, other: string): void {
    const joined = [...new Set([...this.of(one), ...this.of(other)])];
    for (const key of joined) this.#classes.set(key, joined);
  }

  of(key: string): readonly string[] {
    return this.#classes.get(key) ?? [key];
  }
}

function addStray({ text, strays }: Reading, { table, at }: Source, part: string, mend: string): void {
  const near = text
    .subarray(at, at + 90)
    .toString()
    .replace(/\s+/g, ' ')
    .trim();
  strays.push({ table: table!, part, near, mend });
}

const aliasOf = (node: Node): string => (node['alias'] as { aliasname?: string } | undefined)?.aliasname ?? '';
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isQuery = (key: string): boolean => (QUERIES as readonly string[]).includes(key);
