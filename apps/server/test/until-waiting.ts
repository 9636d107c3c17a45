import { expect } from 'vitest';
import type { TestApp } from './harness.ts';

/** Waits until so many statements of the server wait for a lock that the test holds. */
export async function untilWaiting({ db }: TestApp, count = 1, timeout?: number): Promise<void> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await db.query(waiting)).length, timeout === undefined ? {} : { timeout }).toBe(count);
}
