import { expect } from 'vitest';
import type { TestApp } from '../harness.ts';

export const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

export async function untilWaiting({ db }: TestApp, count = 1, timeout?: number): Promise<void> {
  await expect.poll(async () => (await db.query(WAITING)).length, timeout === undefined ? {} : { timeout }).toBe(count);
}
