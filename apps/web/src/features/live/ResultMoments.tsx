import type { DrawResult } from '@drawhouse/contract/draws';
import type { Panel } from '@drawhouse/contract/live';
import { Suspense, useCallback, useState } from 'react';
import { lazyExtra } from '../../lib/lazyExtra.ts';
import { newestDraw, newsSince } from './resultMoment.ts';

const ResultMoment = lazyExtra(async () => (await import('./ResultMoment.tsx')).ResultMoment);

/** Gives each result its moment: what is drawn while the panel is looked at stands there for a few seconds. */
export function ResultMoments({ panel }: { panel: Panel }) {
  const newest = newestDraw(panel);
  const [seen, setSeen] = useState(newest);
  const [news, setNews] = useState<DrawResult | null>(null);
  if (newest !== seen) {
    setSeen(newest);
    setNews(newsSince(panel, seen));
  }
  const onDone = useCallback(() => setNews(null), []);
  return (
    news && (
      <Suspense>
        <ResultMoment key={news.drawId} panel={panel} result={news} onDone={onDone} />
      </Suspense>
    )
  );
}
