import type { Panel } from '@drawhouse/contract/live/live';
import { selectionOf } from '@drawhouse/rules/panel/layout';
import { Suspense, useEffect, useMemo, useState, memo } from 'react';
import { lazyExtra } from '../../../lib/lazyParts.ts';
import { OutcomeGrid } from '../grids/OutcomeGrid.tsx';
import { ResultStrip } from '../results/ResultStrip.tsx';
import { formatPoints } from '../../../lib/format/format.ts';
import { Points } from '../../../ui/mark/Points.tsx';
import { liveTexts } from '../liveTexts.ts';
import type { Choice } from './controls/useChoice.ts';
import { NextDraw } from './NextDraw.tsx';
import { Commitment } from './PanelHead.tsx';
import { resultOf } from './panelMath.ts';
import classes from './LivePanelPage.module.css';
import dailyClasses from './PanelFigures.module.css';

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

const DailyFigures = memo(function DailyFigures({ panel, narrow }: { panel: Panel; narrow: boolean }) {
  const figures = [
    { name: liveTexts.gameBalance, value: panel.percentageData[0]?.gameBalance ?? 0 },
    { name: liveTexts.collection, value: panel.collections.totalPlaypoints },
    { name: liveTexts.payment, value: panel.collections.totalWinpoints },
    { name: liveTexts.balance, value: panel.collections.balance },
  ];
  return (
    <section className={dailyClasses.daily} aria-labelledby="daily-figures">
      <h2 className={dailyClasses.heading} id="daily-figures">
        {liveTexts.dailyTitle}
      </h2>
      <table className={dailyClasses.table} aria-labelledby="daily-figures">
        {narrow ? (
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{figure.name}</th>
                <td>
                  <Points value={figure.value} />
                </td>
              </tr>
            ))}
          </tbody>
        ) : (
          <>
            <thead>
              <tr>
                {figures.map((figure) => (
                  <th key={figure.name} scope="col">
                    {figure.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {figures.map((figure) => (
                  <td key={figure.name}>
                    <Points value={figure.value} />
                  </td>
                ))}
              </tr>
            </tbody>
          </>
        )}
      </table>
    </section>
  );
});

function DrawCollection({ panel }: { panel: Panel }) {
  return (
    <section className={dailyClasses.collection} aria-label={liveTexts.drawCollection}>
      <h2 className={dailyClasses.heading}>{liveTexts.drawCollection}</h2>
      <span className={dailyClasses.collectionValue}>{formatPoints(panel.totalsumdata)}</span>
    </section>
  );
}
