import { getTimer } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { call } from '../../../lib/api.ts';
import { leaveSocket, liveSocket } from '../../../lib/socket.ts';
import { clockOffset, isEnding, isStale } from '../drawClock.ts';
import { keepFetching } from './keepFetching.ts';
import { NO_PANEL, reducePanel } from './panelFrames.ts';
import { enterRoom } from './panelRoom.ts';
import type { Connection, PanelRefusal, PanelRoom } from './panelRoom.ts';
import { useServerClock } from '../useServerClock.ts';
import { loadGame } from '@drawhouse/contract/live/live';
import { ApiError } from '@drawhouse/session/api-client';

/** A live panel and how it is doing. */
export interface LivePanel {
  panel: Panel | null;
  /** Milliseconds that the server's clock is ahead of ours. */
  offset: number;
  connection: Connection;
  stale: boolean;
  refusal: PanelRefusal | null;
  refreshing: boolean;
  /** Fetches the panel now, beside what the socket brings. */
  refresh: () => void;
}

/**
 * The panel of one game of one admin: by the socket and by `live/loadgame`, whichever comes first; the newest wins. The socket sends all
 * of it once, and then what has changed; where a change was missed the room is joined anew. Whoever uses it is keyed by the pair, so that
 * another pair starts from nothing.
 */
export function usePanel(gameId: string, adminId: string): LivePanel {
  const [state, dispatch] = useReducer(reducePanel, NO_PANEL);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [refusal, setRefusal] = useState<PanelRefusal | null>(null);
  const room = useRef<PanelRoom | null>(null);
  const onPanel = useCallback((whole: Panel) => {
    setRefusal(null);
    dispatch({ type: 'frame', panel: whole, receivedAt: Date.now() });
  }, []);

  useEffect(() => {
    room.current = enterRoom(
      liveSocket(),
      { gameId, adminId },
      {
        onConnection: setConnection,
        onJoin: () => dispatch({ type: 'joined' }),
        onPanel,
        onChange: (change) => dispatch({ type: 'change', change, receivedAt: Date.now() }),
        onRefused: setRefusal,
      },
    );
    return () => {
      room.current?.leave();
      leaveSocket();
    };
  }, [gameId, adminId, onPanel]);

  const { panel, missed } = state;
  useEffect(() => {
    if (missed) room.current?.join();
  }, [missed]);

  const { refresh, keep, refreshing } = usePanelFetch(gameId, adminId, onPanel, setRefusal);
  const offset = clockOffset(state.clock);
  const stale = useServerClock(offset, (now) => panel !== null && isStale(panel, now));
  useWhileStale(stale, keep);

  const onTime = useCallback(
    (serverTime: string) => dispatch({ type: 'clock', serverTime, receivedAt: Date.now() }),
    [],
  );
  const ending = useServerClock(offset, (now) => panel !== null && isEnding(panel, now));
  useTimeAtEnd(ending, gameId, adminId, onTime);

  return { panel, offset, connection, stale, refusal, refreshing, refresh };
}

/** Fetches a panel that is stale, at once and until it is not. */
function useWhileStale(stale: boolean, keep: () => void): void {
  useEffect(() => (stale ? keepFetching(keep) : undefined), [stale, keep]);
}

/** Asks the server for its time once a draw is about to end. */
function useTimeAtEnd(ending: boolean, gameId: string, adminId: string, onTime: (serverTime: string) => void): void {
  useEffect(() => {
    // A page that is not looked at lets its clock be, until it has the focus again.
    if (!ending || !document.hasFocus()) return;
    const abort = new AbortController();
    call(getTimer, { query: { gameId, adminId } }, { signal: abort.signal, background: true }).then(
      ({ serverTime }) => {
        if (!abort.signal.aborted) onTime(serverTime);
      },
      () => {
        // The clock goes on by what the panel says.
      },
    );
    return () => abort.abort();
  }, [ending, gameId, adminId, onTime]);
}

/** Fetches the panel of one game of one admin at once, whenever the window gets the focus, and by `refresh`; by `keep` where nobody asks for it, which is no use of the session and waits for the answer before. Listeners stay the same. */
function usePanelFetch(
  gameId: string,
  adminId: string,
  onPanel: (panel: Panel) => void,
  onRefused: (refusal: PanelRefusal) => void,
): { refresh: () => void; keep: () => void; refreshing: boolean } {
  const [{ asked, done, background }, setFetches] = useState({ asked: 0, done: 0, background: false });
  const refresh = useCallback(
    () => setFetches((before) => ({ ...before, asked: before.asked + 1, background: false })),
    [],
  );
  const keep = useCallback(
    () =>
      setFetches((before) =>
        before.done < before.asked ? before : { ...before, asked: before.asked + 1, background: true },
      ),
    [],
  );

  useEffect(() => {
    const abort = new AbortController();
    const fetchPanel = async () => {
      try {
        const panel = await call(loadGame, { query: { gameId, adminId } }, { signal: abort.signal, background });
        if (abort.signal.aborted) return;
        onPanel(panel);
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof ApiError) onRefused({ code: error.code, message: error.message });
      }
      setFetches((before) => ({ ...before, done: Math.max(before.done, asked) }));
    };
    void fetchPanel();
    return () => abort.abort();
  }, [gameId, adminId, asked, background, onPanel, onRefused]);

  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);

  return { refresh, keep, refreshing: done < asked };
}
