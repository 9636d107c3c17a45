import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** Makes ids that sort by the time at which they were made. With `after`, an id that another server may have made, above it too. */
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
    if (after !== undefined) {
      const [afterMs, afterCounter] = [msOf(after), Number.parseInt(after.slice(15, 18), 16)];
      if (afterMs > lastMs) counter = afterCounter;
      else if (afterMs === lastMs) counter = Math.max(counter, afterCounter);
      lastMs = Math.max(lastMs, afterMs);
    }
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = 0;
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
    }
    const bytes = randomBytes(16);
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return uuidOf(bytes.toString('hex'));
  };
}

/** The least id that could have been made at an instant: ids made before it are below. */
export function uuid7Floor(at: Date): string {
  return uuidOf(at.getTime().toString(16).padStart(12, '0').padEnd(32, '0'));
}

/** The least id above an id. */
export function idAfter(id: string): string {
  return uuidOf((BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0'));
}

/** When an id was made. */
export function uuid7Time(id: string): Date {
  return new Date(msOf(id));
}

function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
