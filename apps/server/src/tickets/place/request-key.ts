import { nameUuid } from '../../platform/db/sql/name-uuid.ts';

const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Key that allows at most one ticket per request, ever: a hash of account and request id. For UUIDv7 ids, 48 time bits
 * precede 74 hash bits, so consecutive keys stay adjacent and share WAL pages. A wild client time only slows that
 * client's bets. Version digits (7, 8) keep both kinds apart.
 */
export function requestOf(accountId: string, requestId: string): string {
  const hashed = nameUuid(`request:${accountId}:${requestId}`);
  return TIMED.test(requestId) ? `${requestId.slice(0, 13).toLowerCase()}-7${hashed.slice(15)}` : hashed;
}
