import type { Panel } from '@drawhouse/contract/live/live';
import { Suspense } from 'react';
import { lazyExtra } from '../../../lib/lazyExtra.ts';
import { useResultNews } from './useResultNews.ts';

const ResultMoment = lazyExtra(async () => (await import('./ResultMoment.tsx')).ResultMoment);

export function ResultMoments({ panel }: { panel: Panel }) {
  const { news, onDone } = useResultNews(panel);
  return (
    news && (
      <Suspense>
        <ResultMoment key={news.drawId} panel={panel} result={news} onDone={onDone} />
      </Suspense>
    )
  );
}
