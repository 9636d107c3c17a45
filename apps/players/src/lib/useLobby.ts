import type { Lobby } from '@drawhouse/contract/players/lobby';
import { useEffect } from 'react';
import { onLineBack, watchWallet } from './liveLine.ts';
import { isUntold, withWalletNews } from './lobbyNews.ts';
import { LOBBY, readLobby } from './lobbyRead.ts';
import { changeRead, knownRead, readAfter, readIfOld, useAskedAgain, useRead } from './useRead.ts';

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
  useEffect(() => onLineBack(() => readAfter(LOBBY)), []);
  return read;
}
