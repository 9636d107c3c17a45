import type { Database } from '../../src/platform/db/database.ts';
import { isKeyedByNetwork } from '../../src/config/tables/table-owner.ts';
import { TABLE_OWNERS } from '../../src/config/tables/table-owners.ts';

export async function digestsOf(db: Database, networkId: number): Promise<Record<string, string>> {
  const tables = Object.entries(TABLE_OWNERS).filter(([name, use]) => isKeyedByNetwork(use) || name === 'accounts');
  const digests: Record<string, string> = {};
  for (const [name] of tables) {
    const [row] = await db.query<{ digest: string | null }>(
      `select md5(string_agg(r::text, e'\\n' order by r::text)) as digest from ${name} r where network_id = $1`,
      [networkId],
    );
    if (row!.digest !== null) digests[name] = row!.digest;
  }
  return digests;
}

export async function rowCounts(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of Object.keys(TABLE_OWNERS)) {
    const [row] = await db.query<{ rows: number }>(`select count(*)::int as rows from ${name}`);
    if (row!.rows > 0) counts[name] = row!.rows;
  }
  return counts;
}
