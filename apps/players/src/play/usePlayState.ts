import { useEffect, useState } from 'react';
import { nextMoment, phaseOf } from '../lib/drawPhase.ts';
import { watchGames, watchWallet } from '../lib/liveLine.ts';
import { call } from '../lib/playerApi.ts';
import { routes } from '../lib/playerRoutes.ts';
import { noteServerTime, useServerTime } from '../lib/serverTime.ts';
import { changeRead, useRead } from '../lib/useRead.ts';
import { noteWallet } from '../lib/wallet.ts';
import { withNews, withSettled } from './playNews.ts';
import type { PlayState, Settled } from './playNews.ts';

/** So long after a draw, or an opening, its news ought to have come. */
const LATE_MS = 3_000;
/** Where nothing live comes, what is overdue is asked for this often. */
const ASK_AGAIN_MS = 4_000;

/** A game as it now is, by what comes live and, where nothing comes, by asking again for what is overdue; and what its draws have brought. */
export function usePlayState(gameId: string) {
  const name = `play/${gameId}`;
  const { data: state, error, again } = useRead(name, (signal) => readState(gameId, signal));
  const [settled, setSettled] = useState<Settled>(() => new Map());
  useEffect(
    () => watchGames([gameId], (news) => changeRead<PlayState>(name, (before) => withNews(before, news))),
    [gameId, name],
  );
  useEffect(() => watchWallet((news) => setSettled((before) => withSettled(before, gameId, news))), [gameId]);
  const isBehind = useServerTime((now) => state !== undefined && isOverdue(state, now));
  useEffect(() => {
    if (!isBehind) return;
    again();
    const timer = setInterval(again, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isBehind, again]);
  return { state, error, again, settled };
}

async function readState(gameId: string, signal: AbortSignal): Promise<PlayState> {
  const state = await call(routes.state, { query: { gameId } }, { signal, background: true });
  noteServerTime(state.serverTime);
  noteWallet(state);
  return state;
}

function isOverdue(state: Pick<PlayState, 'draw' | 'nextOpensAt'>, now: number): boolean {
  const moment = phaseOf(state.draw, now) === 'open' ? null : nextMoment(state, now);
  return moment !== null && now - Date.parse(moment) > LATE_MS;
}
