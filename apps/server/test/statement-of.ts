import type { Sql } from '../src/db/sql.ts';

/** The name and the values of a statement, for tests that watch what is asked of the database. */
export function statementOf(
  text: Sql | string,
  values: readonly unknown[] | undefined,
  name: string | undefined,
): { readonly name: string | undefined; readonly values: readonly unknown[] } {
  return typeof text === 'string' ? { name, values: values ?? [] } : text;
}
