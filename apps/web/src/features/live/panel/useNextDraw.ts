import { nextDraw } from '@drawhouse/contract/draws/draws';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { call } from '../../../lib/api.ts';
import { liveTexts } from '../liveTexts.ts';
import { readNextDraw } from './readNextDraw.ts';
import type { NextDrawText } from './readNextDraw.ts';

/** An answer that takes longer is not waited for (section 9 of the games specification). */
const TIMEOUT_MS = 10_000;
/** The draw and its figures come first. */
const AFTER_MS = 500;

/** The draw after the running one, else why it is not known. */
export type NextDraw = { draw: NextDrawText } | { message: string };

/** The draw after the running one, asked for once; null until it has come. Whoever shows it is keyed by the draw that runs. */
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
  // An answer that is none, or that can't be read.
  if (!(error instanceof ApiError) || error.status < 400) return liveTexts.loadFailed;
  return liveTexts.httpStatus(error.status);
}
