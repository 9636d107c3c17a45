import type { Sql } from '../../src/platform/db/sql/sql.ts';

export function statementOf(
  text: Sql | string,
  values: readonly unknown[] | undefined,
  name: string | undefined,
): { readonly name: string | undefined; readonly values: readonly unknown[] } {
  return typeof text === 'string' ? { name, values: values ?? [] } : text;
}
