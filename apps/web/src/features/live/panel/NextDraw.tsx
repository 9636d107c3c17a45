import { drawName, isClockNumber } from '@drawhouse/rules/time/draw-name';
import { nextDraw } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { ApiError } from '@drawhouse/session/api-client';
import { memo, useEffect, useRef, useState } from 'react';
import { liveTexts } from '../liveTexts.ts';
import classes from './PanelHead.module.css';
import { call } from '../../../lib/server/api.ts';
import { readNextDraw, type NextDrawText } from './readNextDraw.ts';

/** Shows times in the viewer's time zone. Hidden without a running draw. */
export const NextDraw = memo(function NextDraw({ panel: { gameId, adminId, draw, serverTime } }: { panel: Panel }) {
  if (draw?.status !== 'open' && draw?.status !== 'closed') return null;
  return <NextDrawOf key={draw._id} gameId={gameId} adminId={adminId} serverTime={serverTime} />;
});

function NextDrawOf({ gameId, adminId, serverTime }: Pick<Panel, 'gameId' | 'adminId' | 'serverTime'>) {
  const next = useNextDraw(gameId, adminId, serverTime);
  if (!next) return null;
  return (
    <p className={classes.next}>
      {'message' in next ? next.message : `${liveTexts.nextDraw} ${nameOf(next.draw)}: ${betsFrom(next.draw)}`}
    </p>
  );
}

function nameOf({ id }: NextDrawText): string {
  const number = Number(id);
  return isClockNumber(number) ? drawName(number) : id;
}

function betsFrom({ opens, closes }: NextDrawText): string {
  return `betting ${opens} to ${closes}`;
}

/** docs/spec/game-operations.md §9. */
const TIMEOUT_MS = 10_000;
/** Lets the draw and its figures load first. */
const AFTER_MS = 500;

type NextDrawState = { draw: NextDrawText } | { message: string };

/** Null until fetched. Key the component by the running draw. */
function useNextDraw(gameId: string, adminId: string, now: string): NextDrawState | null {
  const [shown, setKnown] = useState<NextDrawState | null>(null);
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
  return shown;
}

function failureOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.status < 400) return liveTexts.loadFailed;
  return liveTexts.httpStatus(error.status);
}
