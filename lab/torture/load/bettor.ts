import { playerState } from '@drawhouse/contract/draws/draws';
import { placeBet } from '@drawhouse/contract/tickets/tickets';
import type { RouteInput } from '@drawhouse/contract/core/route';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { CallFailed, pause, newRequestId } from '../../../tools/demo/client.ts';
import { isAway, isOutage } from './stand-client.ts';
import { GAMES, type Game, type Player } from './torture-network.ts';
import type { Random } from './random.ts';

type BetBody = RouteInput<typeof placeBet>['body'];

export interface Acknowledged {
  readonly ticketId: string;
  readonly drawId: string;
  readonly game: Game;
  readonly lines: BetBody['lines'];
  /** Hundredths. */
  readonly stake: bigint;
}

/** Resent until acknowledged or refused by a rule. */
export interface BetLog {
  readonly player: Player;
  readonly acknowledged: Acknowledged[];
  readonly refused: Map<string, number>;
  readonly outages: Map<string, number>;
  /** Acknowledged only after a retry. */
  late: number;
  readonly problems: string[];
}

/** Final: the request left no ticket. Sign-in refusals are not final. */
const RULES = new Set(['BETTING_CLOSED', 'INSUFFICIENT_CREDIT', 'LIMIT_REACHED', 'GAME_UNAVAILABLE']);
const DECIDED_MS = 120_000;
const RETRY_MS = 60;
const SHUT_OUT_MS = 200;
const THINK_MS = 30;

export function betLog(player: Player): BetLog {
  return { player, acknowledged: [], refused: new Map(), outages: new Map(), late: 0, problems: [] };
}

/** Bets one by one until the signal, then finishes the pending bet. */
export async function keepBetting(log: BetLog, random: Random, signal: AbortSignal): Promise<void> {
  const draws = new Map<string, { id: string; until: number; isOpen: boolean }>();
  while (!signal.aborted) {
    const game = random.pick(GAMES);
    const open = draws.get(game.gameId);
    try {
      if (!open || open.until < Date.now()) {
        const { draw } = await log.player.call(playerState, { query: { gameId: game.gameId } });
        if (draw)
          draws.set(game.gameId, { id: draw._id, until: Date.parse(draw.drawsAt), isOpen: draw.status === 'open' });
        else await pause(RETRY_MS, signal);
        continue;
      }
      if (open.isOpen) open.isOpen = await decide(log, game, betOn(game, open.id, random));
      await pause(random.next() * THINK_MS, signal);
    } catch (error) {
      // An operator deactivated the account.
      if (!isAway(error)) log.problems.push(`${log.player.username}: ${(error as Error).message}`);
      await pause(waitAfter(error), signal);
    }
  }
}

/** Such an answer must include a retry time. */
function noteOutage(log: BetLog, { status, code, retryAfterMs }: CallFailed): void {
  const name = status === 0 ? 'no answer' : `${status} ${code}`;
  log.outages.set(name, (log.outages.get(name) ?? 0) + 1);
  if (status !== 0 && retryAfterMs === undefined) log.problems.push(`A ${name} came without Retry-After.`);
}

function waitAfter(error: unknown): number {
  return isOutage(error) ? RETRY_MS : SHUT_OUT_MS;
}

function betOn({ gameId, drawnos }: Game, drawId: string, random: Random): BetBody {
  const chosen = random.shuffle(drawnos).slice(0, random.int(1, 4));
  return {
    gameId,
    drawId,
    requestId: newRequestId(),
    lines: chosen.map((drawno) => ({ drawno, qty: random.int(1, 9) })),
  };
}

/** False if the draw was closed. */
async function decide(log: BetLog, game: Game, body: BetBody): Promise<boolean> {
  const until = performance.now() + DECIDED_MS;
  for (let tries = 1; ; tries++) {
    try {
      const { ticket } = await log.player.call(placeBet, { body });
      const stake = hundredthsOf(ticket.playpoints)!;
      log.acknowledged.push({ ticketId: ticket._id, drawId: body.drawId!, game, lines: body.lines, stake });
      if (tries > 1) log.late++;
      const staked = body.lines.reduce((sum, { qty }) => sum + qty, 0);
      if (stake !== BigInt(staked) * 100n || ticket.drawId !== body.drawId)
        log.problems.push(`Ticket ${ticket._id} is not the bet that was placed: ${JSON.stringify({ body, ticket })}`);
      return true;
    } catch (error) {
      if (error instanceof CallFailed && RULES.has(error.code)) {
        log.refused.set(error.code, (log.refused.get(error.code) ?? 0) + 1);
        return error.code !== 'BETTING_CLOSED';
      }
      if (!isAway(error)) throw error;
      if (isOutage(error)) noteOutage(log, error as CallFailed);
      if (performance.now() > until)
        throw new Error(`A bet was not decided in ${DECIDED_MS / 1000} s.`, { cause: error });
      await pause(waitAfter(error));
    }
  }
}
