import { sumPoints } from '@drawhouse/contract/core/hundredths';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { useRead } from '../../lib/server/useRead.ts';
import type { PendingBet } from '../placing/pendingBet.ts';
import type { Settled } from '../playState.ts';

export interface Paid {
  readonly staked: number;
  readonly won: number;
}

const LAST_TICKETS = 200;

/** From live news, else from tickets placed here. Null: no stake from this page, or unknown. */
export function usePaid(
  gameId: string,
  result: DrawResult | undefined,
  settled: Settled,
  bets: readonly PendingBet[],
): Paid | null {
  const drawId = result?.drawId ?? '';
  const told = settled.get(drawId);
  const isMine = bets.some((bet) => bet.drawId === drawId && bet.fate.is === 'placed');
  const { data } = useRead(!told && isMine ? `paid/${drawId}` : null, (signal) => readPaid(gameId, drawId, signal));
  return told ?? data ?? null;
}

async function readPaid(gameId: string, drawId: string, signal: AbortSignal): Promise<Paid | null> {
  const query = { gameId, pageSize: String(LAST_TICKETS) };
  const { data } = await call(routes.tickets, { query }, { signal, background: true });
  const own = data.filter((ticket) => ticket.drawId === drawId);
  if (own.length === 0 || own.some(({ winpoints }) => winpoints === null)) return null;
  return {
    staked: sumPoints(own.map(({ playpoints }) => playpoints)),
    won: sumPoints(own.map(({ winpoints }) => winpoints ?? 0)),
  };
}
