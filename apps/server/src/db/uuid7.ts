import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';

/**
 * Makes ids that sort by the time at which they were made. With `after`, an id that another server may have made, above it too: where
 * that one is ahead, just above it, which leaves all other ids where they were.
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

/** The least id that could have been made at an instant: ids made before it are below. Before 1970 the least of all. */
export function uuid7Floor(at: Date): string {
  return uuidOf(BigInt(Math.max(0, at.getTime())) * 2n ** 80n);
}

/** The id in the middle between two, as numbers. */
export function idBetween(low: string, high: string): string {
  return uuidOf((numberOf(low) + numberOf(high)) / 2n);
}

/** The least id above an id; the greatest of all has none and is given again. */
export function idAfter(id: string): string {
  const number = numberOf(id);
  return uuidOf(number === MAX_NUMBER ? number : number + 1n);
}

/** The greatest of all ids as a number. */
const MAX_NUMBER = 2n ** 128n - 1n;

function numberOf(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`);
}

function uuidOf(number: bigint): string {
  return textOf(number.toString(16).padStart(32, '0'));
}

function textOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
