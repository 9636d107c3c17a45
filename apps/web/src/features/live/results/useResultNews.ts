import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useState } from 'react';
import { newestDraw, newsSince } from './resultNews.ts';

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
