import type { Lobby } from '@drawhouse/contract/players/lobby';
import { call } from '../server/playerApi.ts';
import { routes } from '../server/playerRoutes.ts';
import { noteServerTime } from '../server/serverTime.ts';
import { noteWallet } from './wallet.ts';
import { useEffect } from 'react';
import { onReconnect, watchWallet } from '../server/liveConnection.ts';
import { isUntold, withWalletNews } from './lobbyNews.ts';
import { changeRead, knownRead, readAfter, readIfOld, useAskedAgain, useRead } from '../server/useRead.ts';

export const LOBBY = 'lobby';

export async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const lobby = await call(routes.lobby, {}, { signal, background: true });
  noteServerTime(lobby.serverTime);
  noteWallet(lobby);
  return lobby;
}

/** Updated by wallet news; reloads if settlements may be missing. */
export function useLobby() {
  const read = useRead(LOBBY, readLobby);
  useAskedAgain(read);
  useEffect(
    () =>
      watchWallet((news) => {
        const before = knownRead(LOBBY) as Lobby | undefined;
        changeRead<Lobby>(LOBBY, (lobby) => withWalletNews(lobby, news));
        if (before && isUntold(before, news)) readIfOld(LOBBY);
      }),
    [],
  );
  // Settlements during a disconnect are not replayed.
  useEffect(() => onReconnect(() => readAfter(LOBBY)), []);
  return read;
}
