import { layoutTabs, sectionUnder } from '@drawhouse/rules/panel/layout';
import { useId, useMemo, useRef, useState } from 'react';
import type { Figure } from '../numbers/cellFigures.ts';
import { ChosenSheet } from '../chosen/ChosenSheet.tsx';
import { ChosenWinners } from '../chosen/ChosenWinners.tsx';
import { FigureChoice, FindField } from '../FindField.tsx';
import type { GridProps } from '../grid.ts';
import parts from '../gridParts.module.css';
import { groupTexts } from '../gridTexts.ts';
import { useNumberSearch } from '../useNumberSearch.ts';
import { useFocusedNumber } from '../gridFocus.ts';
import { SeriesBoard } from './SeriesBoard.tsx';
import { SeriesTabs, SubSeriesList } from './SeriesTabs.tsx';
import classes from './SeriesGrid.module.css';

/**
 * Every sub-series has its own winner. Tabs select the series, a list the sub-series; typed digits jump to any number.
 */
export function SeriesGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, narrow } = props;
  const { sections } = layout;
  const tabs = useMemo(() => layoutTabs(layout), [layout]);
  const boardId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [sectionKey, setSectionKey] = useState(sections[0]!.key);
  const [figure, setFigure] = useState<Figure>('sum');
  const focus = useFocusedNumber();

  const section = sections.find(({ key }) => key === sectionKey) ?? sections[0]!;
  const tab = tabs.find((each) => each.sections.includes(section))!;
  const { drawnos, onFind, onTake } = useNumberSearch(grid, props, focus.setCurrent, setSectionKey);
  const list = { controls: boardId, panel, rules, selection };
  const chosen = { ...props, tabs, hint: groupTexts.nothingChosen.series };
  return (
    <div className={parts.tabbed}>
      <div className={classes.top}>
        <SeriesTabs
          tabs={tabs}
          current={tab.key}
          onChange={(key) => setSectionKey(sectionUnder(tabs, key, section).key)}
          {...list}
        />
        <div className={classes.tools}>
          <FigureChoice figure={figure} onFigure={setFigure} />
          <FindField drawnos={drawnos} onFind={onFind} onTake={onTake} />
        </div>
      </div>
      {narrow && <ChosenSheet {...chosen} />}
      <div className={classes.middle}>
        <SubSeriesList
          sections={tab.sections}
          current={section.key}
          booster={booster}
          result={result}
          onChange={setSectionKey}
          {...list}
        />
        <SeriesBoard {...props} grid={grid} id={boardId} section={section} figure={figure} focus={focus} />
      </div>
      {!narrow && <ChosenWinners {...chosen} />}
    </div>
  );
}
