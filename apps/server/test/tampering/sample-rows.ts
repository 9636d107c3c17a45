import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import type { Queryable } from '../../src/platform/db/database.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly is_enum: boolean;
  readonly is_generated: boolean;
  readonly not_null: boolean;
  readonly has_default: boolean;
}

export async function columnsOf(on: Queryable, table: string): Promise<Column[]> {
  return on.query<Column & Record<string, unknown>>(
    `select a.attname::text as name, format_type(a.atttypid, null) as type, t.typtype = 'e' as is_enum,
     a.attgenerated <> '' as is_generated,
            a.attnotnull as not_null, a.atthasdef or a.attidentity <> '' as has_default
     from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = $1::regclass and a.attnum > 0
      and not a.attisdropped order by a.attnum`,
    [table],
  );
}

function someValue({ type, is_enum }: Column): string {
  if (is_enum) return `(enum_range(null::${type}))[1]`;
  const VALUES: Readonly<Record<string, string>> = {
    text: "'x'",
    uuid: 'gen_random_uuid()',
    boolean: 'false',
    bytea: String.raw`'\x07'`,
    json: "'{}'",
    jsonb: "'{}'",
    inet: "'10.0.0.1'",
  };
  if (type.endsWith('[]')) return `'{}'::${type}`;
  return VALUES[type] ?? (type.startsWith('timestamp') || type === 'date' ? 'now()' : '1');
}

export function otherValue(column: Column): string {
  const { name, type, is_enum } = column;
  if (is_enum)
    return (
      `case when ${name} is distinct from (enum_range(null::${type}))[1] then (enum_range(null::${type}))[1] else ` +
      `(enum_range(null::${type}))[2] end`
    );
  const CHANGES: Readonly<Record<string, string>> = {
    text: `${name} || 'x'`,
    uuid: 'gen_random_uuid()',
    boolean: `not ${name}`,
    bytea: `${name} || '\\x01'`,
    json: `json_build_object('other', gen_random_uuid())`,
    jsonb: `jsonb_build_object('other', gen_random_uuid())`,
    inet: `${name} + 1`,
    date: `${name} + 1`,
    'smallint[]': `${name} || 1::smallint`,
    'uuid[]': `${name} || gen_random_uuid()`,
    'text[]': `${name} || 'x'::text`,
    'bytea[]': `${name} || '\\x01'::bytea`,
    'cidr[]': `${name} || '10.0.0.0/8'::cidr`,
    'timestamp with time zone': `${name} + interval '1 second'`,
  };
  return `coalesce(${CHANGES[type] ?? `${name} + 1000`}, ${someValue(column)})`;
}

/** Runs as table owner; keeps the sealer's table. */
export async function dropConstraints(on: Queryable): Promise<void> {
  const found = await on.query<{ drop: string }>(
    `select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as drop from pg_constraint
     where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u') and conrelid <> 'seal_progress'::regclass`,
  );
  for (const { drop } of found) await on.query(drop);
  await on.query('drop index if exists accounts_username');
  for (const table of ['networks', 'removals']) await on.query(`alter table ${table} alter column id drop identity`);
}

const FITTING: Readonly<Record<string, string>> = {
  'clearings.model': "'commission'",
};

/** One row per empty sealed table, so every record kind exists. Requires triggers off. */
export async function fillEmpty(on: Queryable, networkId: number): Promise<void> {
  for (const table of Object.keys(SEALED_TABLES)) {
    const [row] = await on.query<{ is_empty: boolean }>(`select not exists (select from ${table}) as is_empty`);
    if (!row!.is_empty) continue;
    const columns = (await columnsOf(on, table)).filter(
      ({ name, not_null, has_default }) =>
        name !== 'written_by' && (name === 'network_id' || (not_null && !has_default)),
    );
    const values = columns.map((column) =>
      column.name === 'network_id' ? String(networkId) : (FITTING[`${table}.${column.name}`] ?? someValue(column)),
    );
    await on.query(`insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${values.join(', ')}`);
  }
}
