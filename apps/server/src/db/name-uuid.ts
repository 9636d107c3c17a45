import { createHash } from 'node:crypto';

/**
 * The id of what is known by its name: the first half of SHA-256 of the name, as a UUID of version 8 (RFC 9562). Following
 * from the name, it needs no look-up.
 */
export function nameUuid(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
