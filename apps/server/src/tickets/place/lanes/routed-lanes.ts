import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { createPeer, servePeers, type Peer, type PeerAnswer } from '../../../platform/cluster/peer-link.ts';
import type { Team } from '../../../platform/cluster/team.ts';
import { CallError } from '../../../platform/http/http-errors.ts';
import type { BetOrder } from '../bet-order.ts';
import type { PlacedBet } from '../judge-bets.ts';
import { tooManyWait } from './bet-lane.ts';
import type { BetLanes } from './bet-lanes.ts';

type WireOrder = readonly [
  networkId: number,
  accountId: string,
  sessionId: string | null,
  apiKey: number | null,
  ip: string,
  gameKey: string,
  drawId: string | null,
  requestId: string,
  lines: BetOrder['lines'],
];

const LOST =
  'The server stopped while taking this bet, so it may have happened. Check before you send it again; the same requestId ' +
  'makes one ticket only.';

type WireOutcome = PlacedBet | WireRefusal;

interface WireRefusal extends Pick<CallError, 'code' | 'message'> {
  readonly fields?: Record<string, string> | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly shortfall?: number | undefined;
}

/**
 * One process takes all bets of a network, so that batches stay large and the limits on waiting bets apply to all
 * processes together. Takes the bet here if that process is down, which is safe under PostgreSQL's locks. Answers
 * OUTCOME_UNKNOWN if the process dies with the bet.
 */
export async function routeBets(local: BetLanes, team: Team): Promise<BetLanes> {
  const server = await servePeers(team.socketOf(team.slot, 'bets'), (order, answer) =>
    local.ask(orderOf(order as WireOrder), (outcome) =>
      answer((outcome instanceof CallError ? refusalOf(outcome) : outcome) satisfies WireOutcome),
    ),
  );
  const peers = Array.from({ length: team.count }, (_, slot) =>
    slot === team.slot ? undefined : createPeer<WireOrder, WireOutcome>(team.socketOf(slot, 'bets')),
  );

  const ask: BetLanes['ask'] = (order, answer) => {
    const peer = peers[slotOf(order.actor.networkId, team.count)];
    if (!peer) return local.ask(order, answer);
    return peer.ask(wireOf(order), (found) => {
      if (found === 'untouched') local.ask(order, answer);
      else answer(outcomeOf(found));
    });
  };
  const away = peers.filter((peer): peer is Peer<WireOrder, WireOutcome> => peer !== undefined);
  const waitingElsewhere = (): number => away.reduce((sum, peer) => sum + peer.waiting(), 0);

  return {
    ask,
    place: (order) =>
      new Promise((resolve, reject) =>
        ask(order, (outcome) => (outcome instanceof CallError ? reject(outcome) : resolve(outcome))),
      ),
    handOverMs: local.handOverMs,
    waiting: () => local.waiting() + waitingElsewhere(),
    async drain() {
      await server.close();
      await Promise.all(away.map((peer) => peer.drain()));
      await local.drain();
      for (const peer of away) peer.close();
    },
  };
}

/** Neighboring networks get different processes. */
export function slotOf(networkId: number, count: number): number {
  return networkId % count;
}

function wireOf({ actor, sessionId, apiKey, ip, gameKey, drawId, requestId, lines }: BetOrder): WireOrder {
  const { networkId, id } = actor;
  return [networkId, id, sessionId ?? null, apiKey ?? null, ip, gameKey, drawId ?? null, requestId, lines];
}

function orderOf([networkId, id, sessionId, apiKey, ip, gameKey, drawId, requestId, lines]: WireOrder): BetOrder {
  return {
    actor: { networkId, id },
    sessionId: sessionId ?? undefined,
    ...(apiKey !== null && { apiKey }),
    ip,
    gameKey,
    drawId: drawId ?? undefined,
    requestId,
    lines,
  };
}

function refusalOf({ code, message, fields, retryAfterSeconds, shortfall }: CallError): WireRefusal {
  return { code, message, fields, retryAfterSeconds, shortfall };
}

function outcomeOf(found: Exclude<PeerAnswer<WireOutcome>, 'untouched'>): PlacedBet | CallError {
  if (found === 'full') return tooManyWait();
  if (found === 'lost') return new CallError('OUTCOME_UNKNOWN', { message: LOST });
  const { answer } = found;
  if ('ticket' in answer) return answer;
  const { code, message, fields, retryAfterSeconds, shortfall } = answer;
  return new CallError(code, {
    message,
    ...(fields && { fields }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(shortfall !== undefined && { shortfall: hundredthsOf(shortfall)! }),
  });
}
