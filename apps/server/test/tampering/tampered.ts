import { expect } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import type { TestApp } from '../harness.ts';

export async function auditAfter(t: TestApp, sql: string): Promise<string[]> {
  const undo = new Error('undo');
  const found: string[] = [];
  const broken = t.db.transaction(async (tx) => {
    // Table owners can drop constraints.
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
  expect(
    found.filter((problem) => problem.includes('\n')),
    'findings have one line',
  ).toEqual([]);
  return found;
}
