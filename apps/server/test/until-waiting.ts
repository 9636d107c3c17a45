import { expect } from 'vitest';
import type { TestApp } from './harness.ts';

/** Selects the statements of the server that wait for a lock. */
export const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Waits until so many statements of the server wait for a lock that the test holds. */
export async function untilWaiting({ db }: TestApp, count = 1, timeout?: number): Promise<void> {
  await expect.poll(async () => (await db.query(WAITING)).length, timeout === undefined ? {} : { timeout }).toBe(count);
}
