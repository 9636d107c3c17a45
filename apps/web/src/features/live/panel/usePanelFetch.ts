import { loadGame } from '@drawhouse/contract/live/live';
import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, call } from '../../../lib/api.ts';
import type { PanelRefusal } from './panelRoom.ts';

/** Fetches the panel of one game of one admin at once, whenever the window gets the focus, and by `refresh`. Both listeners stay the same. */
export function usePanelFetch(
  gameId: string,
  adminId: string,
  onPanel: (panel: Panel) => void,
  onRefused: (refusal: PanelRefusal) => void,
): { refresh: () => void; refreshing: boolean } {
  const [fetches, setFetches] = useState({ asked: 0, done: 0 });
  const refresh = useCallback(() => setFetches((before) => ({ ...before, asked: before.asked + 1 })), []);

  useEffect(() => {
    const abort = new AbortController();
    const fetchNumber = fetches.asked;
    const fetchPanel = async () => {
      try {
        const panel = await call(loadGame, { query: { gameId, adminId } }, { signal: abort.signal });
        if (abort.signal.aborted) return;
        onPanel(panel);
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error instanceof ApiError) onRefused({ code: error.code, message: error.message });
      }
      setFetches((before) => ({ ...before, done: Math.max(before.done, fetchNumber) }));
    };
    void fetchPanel();
    return () => abort.abort();
  }, [gameId, adminId, fetches.asked, onPanel, onRefused]);

  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);

  return { refresh, refreshing: fetches.done < fetches.asked };
}
