import { nextDraw } from '@drawhouse/contract/draws/draws';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../../lib/api.ts';
import { liveTexts } from '../liveTexts.ts';
import { readNextDraw } from './readNextDraw.ts';
import type { NextDrawText } from './readNextDraw.ts';

/** Request timeout (docs/spec/game-operations.md §9). */
const TIMEOUT_MS = 10_000;
/** Lets the draw and its figures load first. */
const AFTER_MS = 500;

export type NextDraw = { draw: NextDrawText } | { message: string };

/** Fetched once; null until then. Key the component by the running draw. */
export function useNextDraw(gameId: string, adminId: string, now: string): NextDraw | null {
  const [known, setKnown] = useState<NextDraw | null>(null);
  const asOf = useRef(now);
  useEffect(() => {
    const abort = new AbortController();
    const late = new AbortController();
    const ask = async () => {
      timer = setTimeout(() => late.abort(), TIMEOUT_MS);
      const signal = AbortSignal.any([abort.signal, late.signal]);
      try {
        const answer = await call(nextDraw, { query: { gameId, adminId } }, { signal, background: true });
        clearTimeout(timer);
        const draw = readNextDraw(answer, asOf.current);
        setKnown(draw ? { draw } : { message: liveTexts.noNextDraw });
      } catch (error) {
        if (!abort.signal.aborted) setKnown({ message: late.signal.aborted ? liveTexts.timedOut : failureOf(error) });
      }
    };
    let timer = setTimeout(() => void ask(), AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [gameId, adminId]);
  return known;
}

function failureOf(error: unknown): string {
  // No response, or an unreadable one.
  if (!(error instanceof ApiError) || error.status < 400) return liveTexts.loadFailed;
  return liveTexts.httpStatus(error.status);
}
