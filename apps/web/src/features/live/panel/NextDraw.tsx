import type { Panel } from '@drawhouse/contract/live/live';
import { memo } from 'react';
import { liveTexts } from '../liveTexts.ts';
import { useNextDraw } from './useNextDraw.ts';
import type { NextDrawText } from './readNextDraw.ts';
import classes from './PanelHead.module.css';

/** Number and betting times in the reader's zone, or the error. Hidden without a running draw. */
export const NextDraw = memo(function NextDraw({ panel: { gameId, adminId, draw, serverTime } }: { panel: Panel }) {
  if (draw?.status !== 'open' && draw?.status !== 'closed') return null;
  return <NextDrawOf key={draw._id} gameId={gameId} adminId={adminId} serverTime={serverTime} />;
});

function NextDrawOf({ gameId, adminId, serverTime }: Pick<Panel, 'gameId' | 'adminId' | 'serverTime'>) {
  const next = useNextDraw(gameId, adminId, serverTime);
  if (!next) return null;
  return (
    <p className={classes.next}>
      {'message' in next ? next.message : `${liveTexts.nextDraw} ${next.draw.id}: ${betsFrom(next.draw)}`}
    </p>
  );
}

function betsFrom({ opens, closes }: NextDrawText): string {
  return `betting ${opens} to ${closes}`;
}
