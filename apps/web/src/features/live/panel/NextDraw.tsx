import type { Panel } from '@drawhouse/contract/live/live';
import { memo } from 'react';
import { formatMoment } from '../liveFormat.ts';
import { liveTexts } from '../liveTexts.ts';
import { useNextDraw } from './useNextDraw.ts';
import type { NextDraw as Answer } from './useNextDraw.ts';
import classes from './PanelHead.module.css';

/**
 * The draw after the running one, by its own number, with the times between which it takes bets as the reader's clock shows them, or why
 * it is not known. While none runs, the head says when one begins.
 */
export const NextDraw = memo(function NextDraw({ panel: { gameId, adminId, draw, serverTime } }: { panel: Panel }) {
  if (draw?.status !== 'open' && draw?.status !== 'closed') return null;
  return <NextDrawOf key={draw._id} gameId={gameId} adminId={adminId} serverTime={serverTime} />;
});

function NextDrawOf({ gameId, adminId, serverTime }: Pick<Panel, 'gameId' | 'adminId' | 'serverTime'>) {
  const next = useNextDraw(gameId, adminId);
  if (!next) return null;
  return (
    <p className={classes.next}>
      {liveTexts.nextDraw} {'message' in next ? next.message : betsOf(next.draw, serverTime)}
    </p>
  );
}

function betsOf({ number, opensAt, closesAt }: Extract<Answer, { draw: unknown }>['draw'], now: string): string {
  return `${number}: bets ${formatMoment(opensAt, now)} to ${formatMoment(closesAt, opensAt)}`;
}
