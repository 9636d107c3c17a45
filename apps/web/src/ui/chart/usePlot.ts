import { useEffect, useState } from 'react';
import type { ChartPlot } from './ChartPlot.tsx';

/** What draws a chart, once it has been fetched; `failed` where it could not be, until `retry`. */
interface PlotPart {
  Plot: typeof ChartPlot | undefined;
  failed: boolean;
  retry: () => void;
}

let here: typeof ChartPlot | undefined;

/** Fetches what draws charts, which the figures of a chart do not wait for. */
export function usePlot(): PlotPart {
  const [Plot, setPlot] = useState(() => here);
  const [failed, setFailed] = useState(false);
  const missing = Plot === undefined && !failed;
  useEffect(() => {
    if (!missing) return;
    import('./ChartPlot.tsx').then(
      (part) => {
        here = part.ChartPlot;
        setPlot(() => part.ChartPlot);
      },
      () => setFailed(true),
    );
  }, [missing]);
  return { Plot, failed, retry: () => setFailed(false) };
}
