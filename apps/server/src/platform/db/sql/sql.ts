import pg from 'pg';

/** Only {@link sql} creates it. */
export class Sql {
  /** One more than `values`, which go between them. */
  readonly texts: readonly string[];
  readonly values: unknown[];
  readonly name: string | undefined;

  constructor(texts: readonly string[], values: unknown[], name?: string) {
    this.texts = texts;
    this.values = values;
    this.name = name;
  }

  /** Prepared once per connection. One name must always mean one text. */
  named(name: string): Sql {
    return new Sql(this.texts, this.values, name);
  }

  get text(): string {
    return this.texts.reduce((text, next, index) => `${text}$${index}${next}`);
  }

  toString(): string {
    return this.text;
  }
}

function fill(template: readonly string[], parameters: readonly unknown[]): Sql {
  const texts = [template[0]!];
  const values: unknown[] = [];
  parameters.forEach((one, index) => {
    const next = template[index + 1]!;
    if (one instanceof Sql) {
      const before = texts.pop()!;
      texts.push(before + one.texts[0], ...one.texts.slice(1));
      texts.push(texts.pop()! + next);
      values.push(...one.values);
    } else {
      texts.push(next);
      values.push(one);
    }
  });
  return new Sql(texts, values);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function raw(text: string): Sql {
  if (/\$\d/.test(text)) throw new Error(`A placeholder has no value: ${text}`);
  return new Sql([text], []);
}

/**
 * All server SQL uses it: `` sql`select from accounts where id = ${id}` ``. Nested SQL is inlined; other values are
 * sent as parameters.
 */
export const sql = Object.assign((template: TemplateStringsArray, ...given: unknown[]): Sql => fill(template, given), {
  /** Trusted SQL text, from code only. */
  raw,
  /** The planner sees the number. */
  lit: (number: number): Sql => raw(String(number)),
  lits: <K extends string>(numbers: Readonly<Record<K, number>>) =>
    Object.fromEntries(Object.entries<number>(numbers).map(([name, n]) => [name, raw(`${n}`)])) as Record<K, Sql>,
  ref: (name: string): Sql => raw(name.split('.').map(quoted).join('.')),
  join: (items: readonly unknown[], separator: Sql = raw(', ')): Sql =>
    items.length === 0 ? raw('') : fill(['', ...items.slice(1).map(() => separator.text), ''], items),
});

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Case-insensitive, numbers by value, underscore first. */
export function naturalOrder(name: Sql): Sql {
  return sql`lower(${name}) collate natural_order`;
}

/** pg scans every element for quoting, its largest cost; ids and numbers need none. No SQL nulls. */
export function arrayOf(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}

/** Example: `kind in ${inKinds(TRANSFER_KINDS, 'stake', 'win')}`. */
export function inKinds<K extends string>(kinds: Readonly<Record<K, number>>, ...names: K[]): Sql {
  return raw(`(${names.map((name) => kinds[name]).join(', ')})`);
}

export function kindName(kinds: Readonly<Record<string, number>>, column: string): Sql {
  const names = Object.entries(kinds).map(([name, number]) => `when ${number} then '${name}'`);
  return raw(`case ${column} ${names.join(' ')} else 'kind ' || ${column} end`);
}

/** A LIKE pattern, wildcards escaped. */
export function containing(text: string | undefined): string | null {
  return text ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : null;
}

/**
 * Merkle leaves (RFC 6962) of `digest` ordered by `index`. Hashing in PostgreSQL takes half a microsecond each; in Node
 * it would block the event loop for seconds.
 */
export const LEAVES = String.raw`string_agg(sha256('\x00'::bytea || digest), '' order by index)`;

/** One node per pair; an odd last node moves up unchanged. */
export const LEVEL_ABOVE = String.raw`(select string_agg(sha256('\x01'::bytea || substr(hashes, 64 * i + 1, 64)), '' order by i)
  from generate_series(0, width / 2 - 1) as i) || substr(hashes, 64 * (width / 2) + 1)`;

/** int8 as bigint, timestamptz as Date, bytea as Buffer, jsonb parsed. */
export type Row = Record<string, unknown>;

declare const vouched: unique symbol;
/** Types created only by checked code. Never read from the database: {@link Readable}. */
export interface Vouched {
  readonly [vouched]: true;
}

export type Readable<R> = { [K in keyof R]: [Extract<R[K], Vouched>] extends [never] ? R[K] : never };

const INT8 = 20;
const TIMESTAMPTZ = 1184;
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    return oid === INT8 ? BigInt : oid === TIMESTAMPTZ ? readTime : pg.types.getTypeParser(oid, format);
  },
};

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;
const LAST_MS = 8.64e15;

/** Clamps to Date's range. Only manual changes create such times. */
function readTime(text: string): Date {
  const time = parseTime(text);
  if (typeof time === 'object' && !Number.isNaN(time.getTime())) return time;
  return new Date(text.startsWith('-') || text.endsWith('BC') ? -LAST_MS : LAST_MS);
}

/**
 * Forces generic plans and index use in this transaction, for statements repeated per network that never scan whole
 * tables. Otherwise PostgreSQL replans some, and plans others for nearly empty tables. Call it first.
 */
export async function planOnce(tx: { readonly send: (statement: Sql) => Promise<void> }): Promise<void> {
  await tx.send(
    sql`select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`.named(
      'plan-once',
    ),
  );
}
