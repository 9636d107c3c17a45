import { createHash } from 'node:crypto';
import type { RouteParsed } from '@drawhouse/contract/route';
import type { placeBet } from '@drawhouse/contract/tickets';
import type { Actor } from '../accounts/authority.ts';

type BetBody = RouteParsed<typeof placeBet>['body'];

/** Who lays a bet, by which session, and from where. */
export interface Bettor {
  readonly actor: Actor;
  readonly sessionId: string;
  readonly ip: string;
}

/** A bet as the contract validated it. */
export interface BetOrder extends Bettor {
  readonly gameKey: string;
  readonly drawId: string | undefined;
  readonly requestId: string;
  readonly lines: BetBody['lines'];
}

/** The order of a bet that came by a call or a socket. */
export function orderOf({ gameId, drawId, requestId, lines }: BetBody, bettor: Bettor): BetOrder {
  return { ...bettor, gameKey: gameId, drawId, requestId, lines };
}
