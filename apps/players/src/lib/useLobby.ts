import type { Lobby } from '@drawhouse/contract/players/lobby';
import { useEffect } from 'react';
import { onLineBack, watchWallet } from './liveLine.ts';
import { isUntold, withWalletNews } from './lobbyNews.ts';
import { LOBBY, readLobby } from './lobbyRead.ts';
import { changeRead, knownRead, readAfter, readIfOld, useAskedAgain, useRead } from './useRead.ts';

/** The wallet, the day so far and the games, as they now are: the day goes on by the news of draws that were settled, and is read anew where they may be missing. */
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
  // What was settled while the line was down is not told again.
  useEffect(() => onLineBack(() => readAfter(LOBBY)), []);
  return read;
}
