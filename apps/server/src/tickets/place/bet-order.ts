import { hash } from 'node:crypto';
import type { BetRequest } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../../accounts/authority.ts';
import { asUuid, nameUuid } from '../../platform/db/sql/uuids.ts';

export interface Bettor {
  readonly actor: Pick<Actor, 'id' | 'networkId'>;
  readonly sessionId: string | undefined;
  /** Per-network key number; undefined if the player bets directly. */
  readonly apiKey?: number | undefined;
  readonly ip: string;
}

export interface BetOrder extends Bettor {
  readonly gameKey: string;
  readonly drawId: string | undefined;
  readonly requestId: string;
  readonly lines: BetRequest['lines'];
}

export function orderOf({ gameId, drawId, requestId, lines }: BetRequest, bettor: Bettor): BetOrder {
  return { ...bettor, gameKey: gameId, drawId, requestId, lines };
}

export function senderOf({ actor, apiKey }: Bettor): string {
  return apiKey === undefined ? actor.id : `key ${apiKey}`;
}

/** Detects a reused request id with different content. First half of a SHA-256, matching its column. */
export function requestHash({ gameKey, drawId, lines }: BetOrder): string {
  const same = lines.map(({ drawno, head, series, subseries, qty }) => [String(drawno), head, series, subseries, qty]);
  return asUuid(hash('sha256', JSON.stringify([gameKey, drawId ?? null, same])));
}

const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Allows at most one ticket per request, ever. For UUIDv7 ids, 48 time bits precede 74 hash bits, so consecutive keys
 * stay adjacent and share WAL pages. A wild client time only slows that client's bets. Version digits (7, 8) keep both
 * kinds apart.
 */
export function requestOf(accountId: string, requestId: string): string {
  const hashed = nameUuid(`request:${accountId}:${requestId}`);
  return TIMED.test(requestId) ? `${requestId.slice(0, 13).toLowerCase()}-7${hashed.slice(15)}` : hashed;
}
