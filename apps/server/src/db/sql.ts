import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Queryable } from './database.ts';
import type { Readable } from './row.ts';

/** A piece of SQL with the values in it. Pieces are put together by Kysely's `sql`; its values never become text. */
export type Sql = RawBuilder<unknown>;

/** Kysely only writes the statements: they run on our own connections. */
const writer = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Runs a statement made of pieces. */
export function run<R extends object & Readable<R>>(on: Queryable, statement: Sql): Promise<R[]> {
  const { sql: text, parameters } = statement.compile(writer);
  return on.query<R>(text, parameters);
}

/** A text with placeholders `$1`, `$2`, … as a piece; each value stands wherever its placeholder does. */
export function pieceOf(text: string, ...values: readonly unknown[]): Sql {
  const parts = text.split(/\$(\d+)/);
  return sql.join(
    parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
    sql.raw(''),
  );
}

/** Conditions of which all must hold. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * A name as people sort it: whatever the case, and the numbers in it by their size. Names are at most 32 letters, digits, dots,
 * underscores and hyphens; the underscore goes first, as dictionaries have it.
 */
export function asPeopleSort(name: Sql): Sql {
  const padded = sql`regexp_replace(translate(lower(${name}), '_', '!'), '([0-9]+)', ${`${'0'.repeat(32)}\\1`}, 'g')`;
  return sql`regexp_replace(${padded}, '[0-9]*([0-9]{32})', ${'\\1'}, 'g') collate "C"`;
}
