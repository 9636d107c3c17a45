import { getTimer } from '@drawhouse/contract/draws/draws';
import { loadGame } from '@drawhouse/contract/live/live';
import type { Panel, PanelChange } from '@drawhouse/contract/live/live';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { ApiError, call } from '../../../lib/api.ts';
import { whenLookedAt } from '../../../lib/lookedAt.ts';
import { leaveSocket, liveSocket } from '../../../lib/socket.ts';
import { clockOffset, isEnding, isStale } from '../drawClock.ts';
import { NO_PANEL, reducePanel } from './panelFrames.ts';
import { useServerClock } from '../useServerClock.ts';

/** Joining waits this long, so that stepping through games does not join each of them. */
const JOIN_AFTER_MS = 300;
/** A connection that the server ended, or refused, is tried again after this. The client does the rest by itself. */
const RETRY_MS = 1_000;
/** While the panel is stale, it is fetched this often. */
const STALE_FETCH_MS = 5_000;

/** How the panel's figures come: not yet, as they change, not at the moment, or not while other tabs have all connections. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'crowdedOut';

/** Whether the figures stand still. */
export function isLost(connection: Connection): boolean {
  return connection === 'reconnecting' || connection === 'crowdedOut';
}

/** Why the panel was refused. */
export interface PanelRefusal {
  code: string;
  message: string;
}

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
  const [fetches, setFetches] = useState({ asked: 0, done: 0 });
  const joinAgain = useRef(() => {});

  useEffect(() => {
    const socket = liveSocket();
    let joinTimer: ReturnType<typeof setTimeout> | undefined;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    /** Other tabs have taken all connections of the session. Coming back by itself, this one would put one of them out in turn. */
    let crowdedOut = false;

    const join = () => {
      clearTimeout(joinTimer);
      joinTimer = setTimeout(() => {
        dispatch({ type: 'joined' });
        socket.emit('gameData', { adminId, gameId, changes: true });
      }, JOIN_AFTER_MS);
    };
    joinAgain.current = join;
    const onConnect = () => {
      setConnection('live');
      join();
    };
    const onLost = () => {
      setConnection(crowdedOut ? 'crowdedOut' : 'reconnecting');
      clearTimeout(retryTimer);
      if (!socket.active && !crowdedOut) retryTimer = setTimeout(() => socket.connect(), RETRY_MS);
    };
    const unlook = whenLookedAt(() => {
      if (!crowdedOut) return;
      crowdedOut = false;
      setConnection('reconnecting');
      socket.connect();
    });
    const onFrame = (panel: Panel) => {
      if (panel.gameId !== gameId || panel.adminId !== adminId) return;
      setRefusal(null);
      dispatch({ type: 'frame', panel, receivedAt: Date.now() });
    };
    const onChange = (change: PanelChange) => dispatch({ type: 'change', change, receivedAt: Date.now() });
    const onRefused = (reason: PanelRefusal) => {
      if (reason.code === 'TOO_MANY_SOCKETS') crowdedOut = true;
      else if (reason.code === 'THROTTLED') {
        clearTimeout(retryTimer);
        retryTimer = setTimeout(join, RETRY_MS);
      } else setRefusal(reason);
    };

    socket.on('connect', onConnect);
    socket.on('disconnect', onLost);
    socket.on('connect_error', onLost);
    socket.on('responseData', onFrame);
    socket.on('panelChange', onChange);
    socket.on('error', onRefused);
    if (socket.connected) onConnect();
    else if (!socket.active) socket.connect();

    return () => {
      clearTimeout(joinTimer);
      clearTimeout(retryTimer);
      socket.off('connect', onConnect);
      socket.off('disconnect', onLost);
      socket.off('connect_error', onLost);
      socket.off('responseData', onFrame);
      socket.off('panelChange', onChange);
      socket.off('error', onRefused);
      unlook();
      leaveSocket();
    };
  }, [gameId, adminId]);

  const { missed } = state;
  useEffect(() => {
    if (missed) joinAgain.current();
  }, [missed]);

  const refresh = useCallback(() => setFetches((before) => ({ ...before, asked: before.asked + 1 })), []);

  useEffect(() => {
    const abort = new AbortController();
    const fetchNumber = fetches.asked;
    const fetchPanel = async () => {
      try {
        const panel = await call(loadGame, { query: { gameId, adminId } }, { signal: abort.signal });
        if (abort.signal.aborted) return;
        setRefusal(null);
        dispatch({ type: 'frame', panel, receivedAt: Date.now() });
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof ApiError) setRefusal({ code: error.code, message: error.message });
      }
      setFetches((before) => ({ ...before, done: Math.max(before.done, fetchNumber) }));
    };
    void fetchPanel();
    return () => abort.abort();
  }, [gameId, adminId, fetches.asked]);

  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);

  const offset = clockOffset(state.clock);
  const { panel } = state;
  const stale = useServerClock(offset, (now) => panel !== null && isStale(panel, now));

  useEffect(() => {
    if (!stale) return;
    const atOnce = setTimeout(refresh);
    const timer = setInterval(refresh, STALE_FETCH_MS);
    return () => {
      clearTimeout(atOnce);
      clearInterval(timer);
    };
  }, [stale, refresh]);

  const ending = useServerClock(offset, (now) => panel !== null && isEnding(panel, now));

  useEffect(() => {
    // A page that is not looked at lets its clock be, until it has the focus again.
    if (!ending || !document.hasFocus()) return;
    const abort = new AbortController();
    call(getTimer, { query: { gameId, adminId } }, { signal: abort.signal, background: true }).then(
      ({ serverTime }) => {
        if (!abort.signal.aborted) dispatch({ type: 'clock', serverTime, receivedAt: Date.now() });
      },
      () => {
        // The clock goes on by what the panel says.
      },
    );
    return () => abort.abort();
  }, [ending, gameId, adminId]);

  return { panel, offset, connection, stale, refusal, refreshing: fetches.done < fetches.asked, refresh };
}
