import { hash } from 'node:crypto';
import type { betLine } from '@drawhouse/contract/tickets/tickets';
import type { Role } from '@drawhouse/contract/core/primitives';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { GameRules, Uniform } from '@drawhouse/rules/games/rules';
import type * as z from 'zod/mini';
import { simulatedNetworks, type SimulatedNetwork } from '../accounts/test-network.ts';
import { isOnline } from '../accounts/read/online-sessions.ts';
import { rulesOf, type GameRow } from '../games/games.sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import type { BetLanes } from '../tickets/place/lanes/bet-lanes.ts';
import { orderOf } from '../tickets/place/bet-order.ts';

export const SIMULATED_BET_EVERY_MS = 1_000;
const PLAYERS = 50;
const MOST_LINES = 3;
const MOST_QTY = 5;
const IP = '127.0.0.1';

type BetLine = z.input<typeof betLine>;

/**
 * One ordinary bet per simulated network. Choices follow from network and second, so several servers choose the same
 * bet, and its request makes one ticket.
 */
export async function betForSimulatedPlayers({ db, clock }: Services, lanes: Pick<BetLanes, 'place'>): Promise<void> {
  const at = clock.now();
  const second = Math.floor(at.getTime() / SIMULATED_BET_EVERY_MS);
  for (const network of await simulatedNetworks(db, at)) {
    const random = uniformOf(`${network.adminId} ${second}`);
    const [players, games] = await Promise.all([playersOf(db, network, at), gamesOf(db, network)]);
    if (players.length === 0 || games.length === 0) continue;
    const player = players[random(players.length)]!;
    const game = games[random(games.length)]!;
    const request = {
      gameId: game.game_key,
      requestId: `simulated ${second}`,
      lines: randomLines(rulesOf(game), random),
    };
    const actor = { ...player, networkId: network.networkId };
    try {
      await lanes.place(orderOf(request, { actor, sessionId: undefined, ip: IP }));
    } catch (error) {
      // Betting may be closed, or a limit reached; the next second tries again.
      if (!(error instanceof CallError)) throw error;
    }
  }
}

interface Player {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  readonly chain: readonly string[];
}

/** Active players with credit. People who are online play for themselves. */
function playersOf(on: Queryable, { networkId }: SimulatedNetwork, at: Date): Promise<Player[]> {
  return on.query<Player & object>(
    sql`select a.id, a.username, a.role, a.chain from accounts a
     join wallets w on w.network_id = ${networkId} and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.credit)}
     where a.network_id = ${networkId} and a.role = 'user' and a.active and a.deleted_at is null and w.balance > 0
       and not ${isOnline('a', at)} order by a.id limit ${PLAYERS}`,
  );
}

type Game = Pick<GameRow, 'game_key' | 'family' | 'digits' | 'pays'>;

function gamesOf(on: Queryable, { networkId }: SimulatedNetwork): Promise<Game[]> {
  return on.query<Game & object>(
    sql`select g.game_key, g.family, g.digits, g.pays from network_games ng join games g on g.id = ng.game_id
     where ng.network_id = ${networkId} and g.status = 'active' and g.deleted_at is null order by g.id`,
  );
}

/** Bets on a few outcomes that a random result would pay. */
export function randomLines(rules: GameRules, random: Uniform): BetLine[] {
  const lines = Array.from({ length: 1 + random(MOST_LINES) }, (): BetLine => {
    const winning = rules.winningBets(rules.draw(random));
    const { drawno, head, series, subseries } = rules.betOf(winning[random(winning.length)]!.key)!;
    return {
      drawno,
      ...(rules.heads.length > 1 && { head }),
      ...(series !== null && { series }),
      ...(subseries !== null && { subseries }),
      qty: 1 + random(MOST_QTY),
    };
  });
  return [...new Map(lines.map((line) => [JSON.stringify({ ...line, qty: 0 }), line])).values()];
}

/** Fair enough for a simulation, and the same on every server. */
function uniformOf(seed: string): Uniform {
  let drawn = 0;
  return (n) => Number(BigInt(`0x${hash('sha256', `${seed} ${drawn++}`).slice(0, 12)}`) % BigInt(n));
}
