import type { Panel } from '@drawhouse/contract/live/live';
import { selectionOf } from '@drawhouse/rules/panel/layout';
import { useMemo } from 'react';
import { OutcomeGrid } from '../grids/OutcomeGrid.tsx';
import { shortDate } from '../liveFormat.ts';
import { liveTexts } from '../liveTexts.ts';
import type { PanelControls } from './controls/usePanelControls.ts';
import { payableOf, resultOf, resultOfPast } from './panelMath.ts';
import classes from './PanelFigures.module.css';

interface AimedGridProps {
  still: Panel;
  controls: PanelControls;
  isOld: boolean;
  narrow: boolean;
}

export function AimedGrid({ still, controls, isOld, narrow }: AimedGridProps) {
  const { past, figures, choice, locked, disabled } = controls;
  const result = useMemo(() => {
    const of = past ? resultOfPast(still, past) : resultOf(still);
    return of && { selection: selectionOf(of.result), booster: of.booster };
  }, [still, past]);
  return (
    <>
      {past && <p className={classes.past}>{liveTexts.stakesOf(past.outside, shortDate(past.number))}</p>}
      <OutcomeGrid
        // Amounts of another draw are not news.
        key={past?.drawId}
        panel={figures}
        rules={choice.rules}
        layout={choice.layout}
        selection={choice.selection}
        result={result}
        booster={choice.booster}
        // Bets on a past draw were covered when taken.
        payable={past ? Infinity : payableOf(figures)}
        disabled={locked}
        dimmed={(disabled && !past) || isOld}
        narrow={narrow}
        onToggle={choice.toggle}
        onSelect={choice.select}
      />
    </>
  );
}
