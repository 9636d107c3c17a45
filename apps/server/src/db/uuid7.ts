import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';

/** Makes ids that sort by the time at which they were made. */
export type NewId = () => string;

/**
 * UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, then a 12-bit counter so that the ids of one process rise even
 * within a millisecond or when the clock steps back, then random bits.
 */
export function uuid7From(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = clock.now().getTime();
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
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}
