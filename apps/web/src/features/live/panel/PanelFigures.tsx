import type { Panel } from '@drawhouse/contract/live/live';
import { selectionOf } from '@drawhouse/rules/panel/layout';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { lazyExtra } from '../../../lib/lazyParts.ts';
import { OutcomeGrid } from '../grids/OutcomeGrid.tsx';
import { ResultStrip } from '../results/ResultStrip.tsx';
import type { Choice } from './controls/useChoice.ts';
import { DailyFigures, DrawCollection } from './DailyFigures.tsx';
import { NextDraw } from './NextDraw.tsx';
import { Commitment } from './PanelHead.tsx';
import { resultOf } from './panelMath.ts';
import classes from './LivePanelPage.module.css';

const Frequencies = lazyExtra(async () => (await import('../results/Frequencies.tsx')).Frequencies);

/** Secondary content waits for the controls. */
const EXTRAS_AFTER_MS = 1_500;

interface PanelFiguresProps {
  panel: Panel;
  /** Result of `usePanelWithoutStakes`. */
  still: Panel;
  choice: Choice;
  looks: {
    locked: boolean;
    dimmed: boolean;
    narrow: boolean;
    phone: boolean;
  };
}

export function PanelFigures({ panel, still, choice, looks: { locked, dimmed, narrow, phone } }: PanelFiguresProps) {
  const later = useMountedFor(EXTRAS_AFTER_MS);
  const drawn = useMemo(() => {
    const result = resultOf(still);
    return result && { selection: selectionOf(result.result), booster: result.booster };
  }, [still]);
  return (
    <>
      <OutcomeGrid
        panel={panel}
        rules={choice.rules}
        layout={choice.layout}
        selection={choice.selection}
        result={drawn}
        booster={choice.booster}
        disabled={locked}
        dimmed={dimmed}
        narrow={phone}
        onToggle={choice.toggle}
        onSelect={choice.select}
      />
      <div className={classes.sums}>
        <DrawCollection panel={panel} />
        <DailyFigures panel={still} narrow={phone} />
      </div>
      <ResultStrip panel={still} />
      {later && (
        <Suspense>
          <Frequencies panel={still} />
        </Suspense>
      )}
      {narrow && panel.draw && <Commitment draw={panel.draw} />}
      {narrow && <NextDraw panel={still} />}
    </>
  );
}

function useMountedFor(afterMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isOver;
}
