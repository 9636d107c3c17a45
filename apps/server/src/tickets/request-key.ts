import { nameUuid } from '../platform/db/name-uuid.ts';

const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Returns a key that allows at most one ticket per request, ever: a hash of account and request id. For UUIDv7 ids the
 * 48-bit time prefixes 74 hash bits, so keys of consecutive bets stay adjacent and share WAL pages. Clients control
 * that time; a wild value only slows their own bets. Version digits (7 and 8) separate both kinds. Collisions need two
 * crafted requests of one client, which then count as one.
 */
export function requestOf(accountId: string, requestId: string): string {
  const hashed = nameUuid(`request:${accountId}:${requestId}`);
  return TIMED.test(requestId) ? `${requestId.slice(0, 13).toLowerCase()}-7${hashed.slice(15)}` : hashed;
}
