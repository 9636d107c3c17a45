import { importBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { expect } from 'vitest';
import { readBackups } from '../../src/backup/keep/backup-folders.ts';
import type { SignedIn, TestApp } from '../harness.ts';
import { rowCounts } from '../tampering/table-rows.ts';

export async function expectRestoreRefused(t: TestApp, admin: SignedIn, folder: string, saying: string): Promise<void> {
  const rows = async () => ({ ...(await rowCounts(t.db)), network_work: 0 });
  const before = await rows();
  const folders = async () => (await readBackups(t.backupDir, admin._id)).map(({ name }) => name);
  const backups = await folders();
  const { status, body } = await t.call(importBackup, { query: { folder } }, admin);
  expect(body.message).toContain(saying);
  expect(status).toBe(422);
  expect(await rows()).toEqual(before);
  expect(await folders()).toEqual(backups);
  expect(await t.call(listBackups, {}, admin), 'the session lives on').toMatchObject({ status: 200 });
  await t.expectBooksToBalance();
}
