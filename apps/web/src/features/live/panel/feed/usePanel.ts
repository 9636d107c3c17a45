import { getTimer } from '@drawhouse/contract/draws/draws';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { call } from '../../../../lib/server/api.ts';
import { retryLoad } from '../../../../lib/lazyParts.ts';
import { clockOffset } from '@drawhouse/session/server-clock';
import { isEnding, isStale, useServerClock } from '../../drawClock.ts';
import { NO_PANEL, reducePanel } from './panelFrames.ts';
import { paceChanges } from './paceChanges.ts';
import { enterRoom, type Connection, type PanelRefusal, type PanelRoom } from './panelRoom.ts';
import { loadGame, type Panel } from '@drawhouse/contract/live/live';
import { ApiError } from '@drawhouse/session/api-client';

export interface LivePanel {
  panel: Panel | null;
  /** Milliseconds that the server's clock is ahead. */
  offset: number;
  connection: Connection;
  stale: boolean;
  refusal: PanelRefusal | null;
  refreshing: boolean;
  refresh: () => void;
}

const loadSocket = () => import('../../../../lib/server/socket.ts');
const LOAD_AGAIN_MS = 1_000;

/**
 * The newest of socket and `live/loadgame` wins. The socket's code loads after the first answer, which the page shows
 * without it. The socket sends a full panel, then changes; a missed change triggers a rejoin. Key the component by the
 * pair.
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

  const { refresh, keep, refreshing, isAnswered } = usePanelFetch(gameId, adminId, onPanel, setRefusal);

  useEffect(() => {
    if (!isAnswered) return;
    const pace = paceChanges((change, receivedAt) => dispatch({ type: 'change', change, receivedAt }));
    let leave = retryLoad(loadSocket, LOAD_AGAIN_MS, ({ liveSocket, leaveSocket }) => {
      const own = enterRoom(
        liveSocket(),
        { gameId, adminId },
        {
          onConnection: setConnection,
          onJoin: () => {
            pace.clear();
            dispatch({ type: 'joined' });
          },
          onPanel,
          onChange: pace.take,
          onRefused: setRefusal,
        },
      );
      room.current = own;
      leave = () => {
        pace.clear();
        own.leave();
        leaveSocket();
      };
    });
    return () => leave();
  }, [gameId, adminId, isAnswered, onPanel]);

  const { panel, missed } = state;
  useEffect(() => {
    if (missed) room.current?.join();
  }, [missed]);

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

function useWhileStale(stale: boolean, keep: () => void): void {
  useEffect(() => (stale ? keepFetching(keep) : undefined), [stale, keep]);
}

function useTimeAtEnd(ending: boolean, gameId: string, adminId: string, onTime: (serverTime: string) => void): void {
  useEffect(() => {
    // Background pages skip this until they regain focus.
    if (!ending || !document.hasFocus()) return;
    const abort = new AbortController();
    call(getTimer, { query: { gameId, adminId } }, { signal: abort.signal, background: true }).then(
      ({ serverTime }) => {
        if (!abort.signal.aborted) onTime(serverTime);
      },
      () => {
        // The clock continues from the panel's times.
      },
    );
    return () => abort.abort();
  }, [ending, gameId, adminId, onTime]);
}

/**
 * `keep` fetches in the background: it does not extend the session, and skips while a fetch is pending. Both callbacks
 * are stable.
 */
function usePanelFetch(
  gameId: string,
  adminId: string,
  onPanel: (panel: Panel) => void,
  onRefused: (refusal: PanelRefusal) => void,
): { refresh: () => void; keep: () => void; refreshing: boolean; isAnswered: boolean } {
  const [{ requested, done, background }, setFetches] = useState({ requested: 1, done: 0, background: false });
  const refresh = useCallback(
    () => setFetches((before) => ({ ...before, requested: before.requested + 1, background: false })),
    [],
  );
  const keep = useCallback(
    () =>
      setFetches((before) =>
        before.done < before.requested ? before : { ...before, requested: before.requested + 1, background: true },
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
      setFetches((before) => ({ ...before, done: Math.max(before.done, requested) }));
    };
    void fetchPanel();
    return () => abort.abort();
  }, [gameId, adminId, requested, background, onPanel, onRefused]);

  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);

  return { refresh, keep, refreshing: done < requested, isAnswered: done > 0 };
}

const STALE_FETCH_MS = 5_000;

/** Refreshes first in the next task, until the returned function is called. */
export function keepFetching(refresh: () => void): () => void {
  const atOnce = setTimeout(refresh);
  const timer = setInterval(refresh, STALE_FETCH_MS);
  return () => {
    clearTimeout(atOnce);
    clearInterval(timer);
  };
}
