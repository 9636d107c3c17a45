import { expect } from 'vitest';
import { audit } from '../src/audit/audit.ts';
import type { TestApp } from './harness.ts';

/** What the audit finds after SQL that only the database's owner could run; all of it is taken back. */
export async function auditAfter(t: TestApp, sql: string): Promise<string[]> {
  const undo = new Error('undo');
  const found: string[] = [];
  const broken = t.db.transaction(async (tx) => {
    // Whoever can change the rows can drop the constraints that speak against it.
    for (const { table, name } of await tx.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where conrelid = 'draws'::regclass and contype in ('c', 'f') or conrelid = 'transfers'::regclass and contype in ('p', 'u')`,
    ))
      await tx.query(`alter table ${table} drop constraint ${name}`);
    await tx.query(sql);
    found.push(...(await audit(tx)).flatMap((check) => check.problems));
    throw undo;
  });
  await expect(broken).rejects.toBe(undo);
  return found;
}
