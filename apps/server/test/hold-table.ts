import pg from 'pg';

/** Lets nobody else read or write a table until what it gives is called. */
export async function holdTable(ownerUrl: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}
