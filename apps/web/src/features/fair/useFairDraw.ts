import { fairDraw } from '@drawhouse/contract/draws';
import type { RouteAnswer } from '@drawhouse/contract/route';
import { useEffect, useState } from 'react';
import { call } from '../../lib/api.ts';

/** A draw as the server publishes it. */
export type FairDraw = RouteAnswer<typeof fairDraw>;

/** What is known of a draw: nothing yet, what the server answered, or why it could not be asked. */
export interface FairDrawLoad {
  readonly draw: FairDraw | null;
  readonly error: unknown;
  readonly reload: () => void;
}

/** While a draw runs it is asked for again when it is due, and then every few seconds. */
const LEAST_WAIT_MS = 3_000;
const MOST_WAIT_MS = 60_000;

/** Asks for a published draw, and again until it is settled or void. */
export function useFairDraw(drawId: string): FairDrawLoad {
  const [answer, setAnswer] = useState<Omit<FairDrawLoad, 'reload'>>({ draw: null, error: null });
  const [asked, setAsked] = useState(0);
  const { draw } = answer;

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    call(fairDraw, { params: { drawId } }, { signal }).then(
      (found) => !signal.aborted && setAnswer({ draw: found, error: null }),
      // What was read before stays in sight.
      (error: unknown) => !signal.aborted && setAnswer((before) => ({ ...before, error })),
    );
    return () => stop.abort();
  }, [drawId, asked]);

  useEffect(() => {
    if (!draw || isFinished(draw)) return;
    const wait = Date.parse(draw.drawsAt) - Date.now();
    const timer = setTimeout(
      () => setAsked((times) => times + 1),
      Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, wait)),
    );
    return () => clearTimeout(timer);
    // After a failed call too: each one is counted.
  }, [draw, asked]);

  return { ...answer, reload: () => setAsked((times) => times + 1) };
}

/** Whether nothing about a draw changes any more. */
export function isFinished({ status }: Pick<FairDraw, 'status'>): boolean {
  return status === 'settled' || status === 'void';
}
