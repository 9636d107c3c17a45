import type { TestApp } from '../harness.ts';
import { TestSeals } from '../worlds/sealed-world.ts';
import { dropConstraints, fillEmpty } from './sample-rows.ts';

/** Drops constraints that would block manual changes. Remove the seals afterwards. */
export async function sealEveryKind(t: TestApp, networkId: number): Promise<TestSeals> {
  const seals = await TestSeals.make(t.database);
  await t.db.transaction(async (tx) => {
    await dropConstraints(tx);
    await tx.query('set local session_replication_role = replica');
    await fillEmpty(tx, networkId);
  });
  await seals.seal();
  return seals;
}

export function oneOf(table: string, where = 'true'): string {
  return `ctid = (select min(ctid) from ${table} where ${where})`;
}
