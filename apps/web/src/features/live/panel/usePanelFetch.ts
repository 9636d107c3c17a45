import { loadGame } from '@drawhouse/contract/live/live';
import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../../lib/api.ts';
import type { PanelRefusal } from './panelRoom.ts';

/** Fetches the panel of one game of one admin at once, whenever the window gets the focus, and by `refresh`; by `keep` where nobody asks for it, which is no use of the session and waits for the answer before. Listeners stay the same. */
export function usePanelFetch(
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
