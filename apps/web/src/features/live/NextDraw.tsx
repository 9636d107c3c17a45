import type { Panel } from '@drawhouse/contract/live';
import { memo } from 'react';
import { LIVE } from './liveMessages.ts';
import { useNextDraw } from './useNextDraw.ts';
import type { NextDraw as NextDrawAnswer } from './useNextDraw.ts';
import classes from './PanelHead.module.css';

/**
 * The next draw, which is the one that runs, with the times between which bets are taken by the clock of the server's time zone, or why it
 * is not known. While none runs, the head says when one begins.
 */
export const NextDraw = memo(function NextDraw({ panel: { gameId, adminId, draw } }: { panel: Panel }) {
  if (draw?.status !== 'open' && draw?.status !== 'closed') return null;
  return <NextDrawOf key={draw._id} gameId={gameId} adminId={adminId} />;
});

function NextDrawOf({ gameId, adminId }: Pick<Panel, 'gameId' | 'adminId'>) {
  const next = useNextDraw(gameId, adminId);
  if (!next) return null;
  return (
    <p className={classes.next}>
      {LIVE.nextDraw} {'message' in next ? next.message : timesOf(next.draw)}
    </p>
  );
}

function timesOf({ draw_id: number, timeopen, timeclose, ampm }: Extract<NextDrawAnswer, { draw: unknown }>['draw']) {
  return `${number}: bets ${timeopen} to ${timeclose} ${ampm}`;
}
