import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';

/**
 * Makes ids that sort by the time at which they were made. With `after`, the id of a log's last row, which another server may have made,
 * above it too: where that one is ahead, just above it, which leaves all other ids where they were.
 */
export type NewId = (after?: string) => string;

/**
 * UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, then a 12-bit counter so that the ids of one process rise even
 * within a millisecond or when the clock steps back, then random bits.
 */
export function uuid7From(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  return (after) => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = 0;
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
    }
    const id = makeId(lastMs, counter);
    if (after === undefined || id > after) return id;
    const [aheadMs, aheadCounter] = [Number.parseInt(after.slice(0, 8) + after.slice(9, 13), 16), after.slice(15, 18)];
    const next = Number.parseInt(aheadCounter, 16) + 1;
    return next > 0xfff ? makeId(aheadMs + 1, 0) : makeId(aheadMs, next);
  };
}

/** The rest is that of a random UUID, variant and all: Node draws those from a pool, an id's own bytes would take 50 times as long. */
function makeId(ms: number, counter: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
}

/** The least id that can be made at an instant: ids from then on are not below it. */
export function leastIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
