import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../../lib/server/api.ts';
import { isFinal } from './fairDraw.ts';
import type { FairDraw } from './fairDraw.ts';

/** Type-checked against the contract without bundling it. */
const FAIR_DRAW = { method: 'GET', path: 'fair/draw/:drawId' } satisfies Pick<
  typeof fairDraw,
  'method' | 'path'
> as typeof fairDraw;

export interface FairDrawLoad {
  readonly draw: FairDraw | null;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Milliseconds between fetches: until the draw is due, then every few seconds. */
const LEAST_WAIT_MS = 3_000;
const MOST_WAIT_MS = 60_000;

export function useFairDraw(drawId: string): FairDrawLoad {
  const [answer, setAnswer] = useState<Omit<FairDrawLoad, 'reload'>>({ draw: null, error: null });
  const ask = useRef(() => {});

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    ask.current = () => {
      clearTimeout(timer);
      call(FAIR_DRAW, { params: { drawId } }, { signal }).then(
        (draw) => {
          setAnswer({ draw, error: null });
          if (!isFinal(draw)) timer = setTimeout(ask.current, waitFor(draw));
        },
        (error: unknown) => {
          if (signal.aborted) return;
          setAnswer(({ draw }) => ({ draw, error }));
          if (!(error instanceof ApiError && error.status === 404)) timer = setTimeout(ask.current, MOST_WAIT_MS);
        },
      );
    };
    ask.current();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [drawId]);

  return { ...answer, reload: () => ask.current() };
}

function waitFor(draw: FairDraw): number {
  return Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, Date.parse(draw.drawsAt) - Date.now()));
}
