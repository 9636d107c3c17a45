import { sumPoints } from '@drawhouse/contract/core/hundredths';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { hadStake } from '../openStakes.ts';
import type { PendingBet } from '../placing/pendingBet.ts';
import type { Settlements } from '../playState.ts';

export interface Payout {
  readonly staked: number;
  readonly won: number;
}

const LAST_TICKETS = 200;

/** Null: no stake. Undefined: not known yet. */
export type DrawPayout = Payout | null | undefined;

/** Uses live news, else the draw's tickets. */
export function usePayout(
  gameId: string,
  result: DrawResult | undefined,
  settled: Settlements,
  bets: readonly PendingBet[],
): DrawPayout {
  const drawId = result?.drawId ?? '';
  const live = settled.get(drawId);
  const hasOwnBet = hadStake(drawId) || bets.some((bet) => bet.drawId === drawId && bet.outcome.kind === 'placed');
  const { data } = useQuery(!live && hasOwnBet ? `paid/${drawId}` : null, (signal) =>
    readPayout(gameId, drawId, signal),
  );
  return live ?? (hasOwnBet ? data : null);
}

async function readPayout(gameId: string, drawId: string, signal: AbortSignal): Promise<DrawPayout> {
  const query = { gameId, pageSize: String(LAST_TICKETS) };
  const { data } = await call(routes.tickets, { query }, { signal, background: true });
  const own = data.filter((ticket) => ticket.drawId === drawId);
  if (own.length === 0) return null;
  if (own.some(({ winpoints }) => winpoints === null)) return undefined;
  return {
    staked: sumPoints(own.map(({ playpoints }) => playpoints)),
    won: sumPoints(own.map(({ winpoints }) => winpoints ?? 0)),
  };
}
