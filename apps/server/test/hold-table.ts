import pg from 'pg';

/** Holds what a statement locks until what it gives is called: on a connection of its own, which may say nothing as long as it likes. */
export async function holdLocks(
  ownerUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<() => Promise<void>> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query('begin');
  await client.query(statement, [...values]);
  return () => client.end();
}

/** Lets nobody else read or write a table until what it gives is called. */
export function holdTable(ownerUrl: string, table: string): Promise<() => Promise<void>> {
  return holdLocks(ownerUrl, `lock table ${table} in access exclusive mode`);
}
