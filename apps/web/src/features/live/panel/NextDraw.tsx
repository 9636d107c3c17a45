import type { Panel } from '@drawhouse/contract/live/live';
import { memo } from 'react';
import { liveTexts } from '../liveTexts.ts';
import { useNextDraw } from './useNextDraw.ts';
import type { NextDrawText } from './readNextDraw.ts';
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
  const next = useNextDraw(gameId, adminId, serverTime);
  if (!next) return null;
  return (
    <p className={classes.next}>
      {/* The sentences of the specification stand alone. */}
      {'message' in next ? next.message : `${liveTexts.nextDraw} ${next.draw.id}: ${betsFrom(next.draw)}`}
    </p>
  );
}

function betsFrom({ opens, closes }: NextDrawText): string {
  return `bets ${opens} to ${closes}`;
}
