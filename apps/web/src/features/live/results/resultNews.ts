import { drawName } from '@drawhouse/rules/time/draw-name';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import type { liveResult } from '@drawhouse/contract/live/live-results';
import { formatPoints } from '../../../lib/format/format.ts';
import { resultText } from '../panel/panelMath.ts';
import { useCallback, useState } from 'react';
import { liveTexts } from '../liveTexts.ts';

/** Later results, as after a lost connection, are not news. */
const NEWS_MS = 15_000;

export const RESULT_SHOWN_MS = 6_000;

export function newestDraw({ lastData }: Pick<Panel, 'lastData'>): string | null {
  return lastData.data[0]?.drawId ?? null;
}

export function newsSince(panel: Pick<Panel, 'lastData' | 'serverTime'>, seen: string | null): DrawResult | null {
  const newest = panel.lastData.data[0];
  if (!newest || newest.drawId === seen) return null;
  return Date.parse(panel.serverTime) - Date.parse(newest.drawsAt) > NEWS_MS ? null : newest;
}

export function momentText(result: DrawResult, sums: RouteAnswer<typeof liveResult> | undefined): string {
  const drawn = liveTexts.drawnResultFrom(drawName(result.number), resultText(result), result.source);
  return sums ? `${drawn} Paid ${formatPoints(sums.paid)}, kept ${formatPoints(sums.left)}.` : drawn;
}

export function useResultNews(panel: Panel): { news: DrawResult | null; onDone: () => void } {
  const newest = newestDraw(panel);
  const [seen, setSeen] = useState(newest);
  const [news, setNews] = useState<DrawResult | null>(null);
  if (newest !== seen) {
    setSeen(newest);
    setNews(newsSince(panel, seen));
  }
  return { news, onDone: useCallback(() => setNews(null), []) };
}
