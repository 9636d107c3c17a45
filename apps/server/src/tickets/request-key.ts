import { nameUuid } from '../db/name-uuid.ts';

/** A UUID of version 7 (RFC 9562), which begins with the milliseconds at which it was made. */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * What a request is known by: one ticket at most was made of it, ever. It is a hash of the account and the request id. Where that id is a UUID of version 7, its
 * 48 bits of time go before 74 bits of the hash, so that the keys of bets that come one after the other lie side by side, and a bet writes no page of its own to
 * the log. The time is taken as the client says it: a wild one costs that client's own bets such a page, and changes nothing else. Both kinds are
 * told apart by the version that they have, 7 and 8, so a key of one is never a key of the other; and for two keys of one time to meet, a client would have to
 * make two requests of its own alike, which then are one request.
 */
export function requestOf(accountId: string, requestId: string): string {
  const hashed = nameUuid(`request:${accountId}:${requestId}`);
  return TIMED.test(requestId) ? `${requestId.slice(0, 13).toLowerCase()}-7${hashed.slice(15)}` : hashed;
}
