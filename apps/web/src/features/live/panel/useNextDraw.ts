import { nextDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { useEffect, useState } from 'react';
import { ApiError, call } from '../../../lib/api.ts';
import { liveTexts } from '../liveTexts.ts';

/** An answer that takes longer is not waited for (section 9 of the games specification). */
const TIMEOUT_MS = 10_000;
/** The draw and its figures come first. */
const AFTER_MS = 500;

/** The draw after the running one as `app/nextdrawnew` has it, else why it is not known. */
export type NextDraw = { draw: NonNullable<RouteAnswer<typeof nextDraw>['following']> } | { message: string };

/** The draw after the running one, asked for once; null until it has come. Whoever shows it is keyed by the draw that runs. */
export function useNextDraw(gameId: string, adminId: string): NextDraw | null {
  const [known, setKnown] = useState<NextDraw | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const late = new AbortController();
    const ask = async () => {
      timer = setTimeout(() => late.abort(), TIMEOUT_MS);
      const signal = AbortSignal.any([abort.signal, late.signal]);
      try {
        const { following } = await call(nextDraw, { query: { gameId, adminId } }, { signal, background: true });
        clearTimeout(timer);
        setKnown(following ? { draw: following } : { message: liveTexts.noNextDraw });
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
