import { randomFillSync } from 'node:crypto';
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
export function createUuid7(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  let time = timeOf(lastMs);
  return (after) => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || ++counter > 0xfff) {
      lastMs = Math.max(nowMs, lastMs + 1);
      counter = 0;
      time = timeOf(lastMs);
    }
    const id = newId(time, counter);
    if (after === undefined || id > after) return id;
    const aheadMs = msOf(after);
    const next = Number.parseInt(after.slice(15, 18), 16) + 1;
    return next > 0xfff ? newId(timeOf(aheadMs + 1), 0) : newId(timeOf(aheadMs), next);
  };
}

function newId(time: string, counter: number): string {
  return `${time}-7${counter.toString(16).padStart(3, '0')}-${randomEnd()}`;
}

const END_BYTES = 8;
/** Random bytes for many ids: drawn for each, they would take 50 times as long. */
const pool = Buffer.alloc(512 * END_BYTES);
let used = pool.length;

/** The last two groups of an id: the variant and 62 random bits. */
function randomEnd(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool[used] = (pool[used]! & 0x3f) | 0x80;
  const hex = pool.toString('hex', used, (used += END_BYTES));
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** The first 48 bits of an id, which are its time. */
function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The least id that can be made at an instant: ids from then on are not below it. None is from before 1970. */
export function leastIdAt(at: Date): string {
  return `${timeOf(Math.max(0, at.getTime()))}-7000-8000-000000000000`;
}

/** When an id was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(msOf(id));
}

function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
