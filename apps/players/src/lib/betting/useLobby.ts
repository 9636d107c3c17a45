import type { Lobby } from '@drawhouse/contract/players/lobby';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import { noteServerTime } from '../server/serverTime.ts';
import { beginWalletRead } from './wallet.ts';
import { useEffect } from 'react';
import { onReconnect, watchWallet } from '../server/liveConnection.ts';
import { mayMissSettlement, applyWalletNews, withOpenDraw } from './lobbyNews.ts';
import {
  updateCached,
  cachedData,
  expire,
  invalidate,
  isLoading,
  refetchIfStale,
  useRetry,
  useQuery,
} from '../server/useQuery.ts';

export const LOBBY = 'lobby';

export async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const noteWallet = beginWalletRead();
  const lobby = await call(routes.lobby, {}, { signal, background: true });
  noteServerTime(lobby.serverTime);
  noteWallet(lobby);
  return lobby;
}

/** Notes a placed bet, so that the settlement of its draw needs no new read. */
export function noteOpenDraw(drawId: string): void {
  updateCached<Lobby>(LOBBY, (lobby) => withOpenDraw(lobby, drawId));
}

export function useLobby() {
  const read = useQuery(LOBBY, readLobby);
  useRetry(read);
  useEffect(
    () =>
      watchWallet((news) => {
        const before = cachedData(LOBBY) as Lobby | undefined;
        updateCached<Lobby>(LOBBY, (lobby) => applyWalletNews(lobby, news));
        if (news.settled && (!before?.openDraws.includes(news.settled.drawId) || isLoading(LOBBY))) invalidate(LOBBY);
        if (news.settled === null && news.walletBalance !== before?.walletBalance)
          (isLoading(LOBBY) ? invalidate : expire)(LOBBY);
        if (before && mayMissSettlement(before, news)) refetchIfStale(LOBBY);
      }),
    [],
  );
  // Settlements during a disconnect are not replayed.
  useEffect(() => onReconnect(() => invalidate(LOBBY)), []);
  return read;
}
