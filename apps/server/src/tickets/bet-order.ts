import { hash } from 'node:crypto';
import type { BetAsked } from '@drawhouse/contract/tickets/tickets';
import type { Actor } from '../accounts/authority.ts';
import { asUuid } from '../db/name-uuid.ts';

/** Who lays a bet, by which session, and from where. */
export interface Bettor {
  readonly actor: Actor;
  /** By which it is judged again; undefined where there is none, as in a bench. */
  readonly sessionId: string | undefined;
  /** The number in its network of the API key by which a program lays it; undefined where the player does. */
  readonly apiKey?: number | undefined;
  readonly ip: string;
}

/** A bet as the contract validated it. */
export interface BetOrder extends Bettor {
  readonly gameKey: string;
  readonly drawId: string | undefined;
  readonly requestId: string;
  readonly lines: BetAsked['lines'];
}

/** The order of a bet that came by a call or a socket. */
export function orderOf({ gameId, drawId, requestId, lines }: BetAsked, bettor: Bettor): BetOrder {
  return { ...bettor, gameKey: gameId, drawId, requestId, lines };
}

/** Who has this bet in the queue: its player, or the program that lays it. */
export function senderOf({ actor, apiKey }: Bettor): string {
  return apiKey === undefined ? actor.id : `key ${apiKey}`;
}

/** What tells whether a repeated request id comes with the same bet: the first half of a SHA-256, as the column holds it. */
export function requestHash({ gameKey, drawId, lines }: BetOrder): string {
  const same = lines.map(({ drawno, head, series, subseries, qty }) => [String(drawno), head, series, subseries, qty]);
  return asUuid(hash('sha256', JSON.stringify([gameKey, drawId ?? null, same])));
}
