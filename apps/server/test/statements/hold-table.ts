import pg from 'pg';

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

export function holdTable(ownerUrl: string, table: string): Promise<() => Promise<void>> {
  return holdLocks(ownerUrl, `lock table ${table} in access exclusive mode`);
}
