import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import { useState } from 'react';
import { call } from '../../lib/server/playerApi.ts';
import { daysUpTo } from '../DayZone.tsx';
import { routes } from '../../lib/server/playerRoutes.ts';
import { serverNow } from '../../lib/server/serverTime.ts';
import { updateCached, cachedData, invalidate, useQuery } from '../../lib/server/useQuery.ts';
import { BET_PERIODS, filtersPath, type BetFilters } from './betStates.ts';

const PAGE_BETS = 25;
const MOST_BETS = 500;

export interface OwnBets {
  readonly bets: readonly PlayerTicket[];
  readonly total: number;
  readonly next: string | null;
}

const cacheKey = (key: string): string => `bets/${key}`;
const WAITING = cacheKey('waiting');

export function useOwnBets(filters: BetFilters) {
  const { gameId, status, period } = filters;
  return useBetList(cacheKey(filtersPath(filters)), {
    startDate: daysUpTo(BET_PERIODS[period], serverNow()).startDate,
    ...(gameId !== null && { gameId }),
    ...(status !== null && { status }),
  });
}

/** `reload` reloads even while another load runs. */
export function useUnclaimedWins() {
  return { ...useBetList(WAITING, { claims: 'waiting' }), reload: reloadUnclaimed };
}

/** A running load may predate the last claim. */
function reloadUnclaimed(): void {
  invalidate(WAITING);
}

export async function readUnclaimedWins(): Promise<readonly PlayerTicket[]> {
  const query = { claims: 'waiting', pageSize: String(MOST_BETS) } as const;
  return (await call(routes.tickets, { query })).data;
}

export function noteClaimed(id: string): void {
  updateCached<OwnBets>(WAITING, ({ bets, total, next }) => {
    const left = bets.filter(({ _id }) => _id !== id);
    // A newer read already excludes it.
    return { bets: left, total: Math.max(left.length, total - 1), next };
  });
}

type Asked = Parameters<typeof call<NonNullable<(typeof routes.tickets)['of']>>>[1]['query'];

function useBetList(name: string, query: Asked) {
  const read = useQuery(name, async (signal): Promise<OwnBets> => {
    // Reloads the pages shown so far.
    const shown = (cachedData(name) as OwnBets | undefined)?.bets.length ?? 0;
    const pageSize = String(Math.min(MOST_BETS, Math.max(PAGE_BETS, shown)));
    const answer = await call(routes.tickets, { query: { ...query, pageSize } }, { signal, background: true });
    return { bets: answer.data, total: answer.total ?? answer.data.length, next: answer.next };
  });
  const [older, setOlder] = useState<{ isComing: boolean; error: unknown }>({ isComing: false, error: undefined });
  const readOlder = async () => {
    const before = read.data?.next;
    if (before == null || older.isComing) return;
    setOlder({ isComing: true, error: undefined });
    try {
      const { data, next } = await call(routes.tickets, { query: { ...query, before } });
      updateCached<OwnBets>(name, (known) =>
        known.next === before ? { ...known, bets: [...known.bets, ...data], next } : known,
      );
      setOlder({ isComing: false, error: undefined });
    } catch (error) {
      setOlder({ isComing: false, error });
    }
  };
  return { ...read, older: { ...older, read: () => void readOlder() } };
}
