import type { Lobby } from '@drawhouse/contract/players/lobby';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import { noteServerTime } from '../server/serverTime.ts';
import { noteWallet } from './wallet.ts';
import { useEffect } from 'react';
import { onReconnect, watchWallet } from '../server/liveConnection.ts';
import { mayMissSettlement, applyWalletNews } from './lobbyNews.ts';
import {
  updateCached,
  cachedData,
  expire,
  invalidate,
  refetchIfStale,
  useRetry,
  useQuery,
} from '../server/useQuery.ts';

export const LOBBY = 'lobby';

export async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const lobby = await call(routes.lobby, {}, { signal, background: true });
  noteServerTime(lobby.serverTime);
  noteWallet(lobby);
  return lobby;
}

export function useLobby() {
  const read = useQuery(LOBBY, readLobby);
  useRetry(read);
  useEffect(
    () =>
      watchWallet((news) => {
        const before = cachedData(LOBBY) as Lobby | undefined;
        updateCached<Lobby>(LOBBY, (lobby) => applyWalletNews(lobby, news));
        if (news.settled === null && news.walletBalance !== before?.walletBalance) expire(LOBBY);
        if (before && mayMissSettlement(before, news)) refetchIfStale(LOBBY);
      }),
    [],
  );
  // Settlements during a disconnect are not replayed.
  useEffect(() => onReconnect(() => invalidate(LOBBY)), []);
  return read;
}
