import { randomBytes } from 'node:crypto';
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

function makeId(ms: number, counter: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return textOf(bytes.toString('hex'));
}

function textOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
