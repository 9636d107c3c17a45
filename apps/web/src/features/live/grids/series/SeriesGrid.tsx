import { layoutTabs, sectionOfEach, sectionUnder } from '@drawhouse/rules/layout-tabs';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { ChosenSheet } from '../ChosenSheet.tsx';
import { ChosenWinners } from '../ChosenWinners.tsx';
import type { GridProps } from '../grid.ts';
import { groupTexts } from '../groupTexts.ts';
import { FigureChoice } from '../numbers/FigureChoice.tsx';
import { FindField } from '../numbers/FindField.tsx';
import type { Figure } from '../numbers/numberMath.ts';
import { useLook } from '../numbers/useLook.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { SeriesBoard } from './SeriesBoard.tsx';
import { SeriesTabs, SubSeriesList } from './SeriesTabs.tsx';
import classes from './SeriesGrid.module.css';

/**
 * Numbers of which each sub-series has its own winner: a tab for each series, the list of its sub-series, and the hundred numbers of one of them. What
 * is chosen in all of them stands beneath. Typed digits lead to a number wherever it is.
 */
export function SeriesGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, narrow } = props;
  const { sections } = layout;
  const tabs = useMemo(() => layoutTabs(layout), [layout]);
  const boardId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [sectionKey, setSectionKey] = useState(sections[0]!.key);
  const [figure, setFigure] = useState<Figure>('sum');
  const look = useLook();

  const section = sections.find(({ key }) => key === sectionKey) ?? sections[0]!;
  const tab = tabs.find((each) => each.sections.includes(section))!;
  const { drawnos, onFind, onTake } = useFinding(grid, props, setSectionKey, look.setCurrent);
  const list = { controls: boardId, panel, rules, selection };
  const chosen = { ...props, tabs, hint: groupTexts.nothingChosen.series };
  return (
    <div className={classes.grid}>
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
        <SeriesBoard {...props} grid={grid} id={boardId} section={section} figure={figure} look={look} />
      </div>
      {!narrow && <ChosenWinners {...chosen} />}
    </div>
  );
}

/** Leads to a number that is searched for, wherever it is, and chooses one; digits that are typed beside all fields choose, and lead there. */
function useFinding(
  gridRef: RefObject<HTMLElement | null>,
  { rules, layout, selection, disabled, onToggle }: GridProps,
  setSectionKey: (key: string) => void,
  setCurrent: (drawno: string) => void,
): { drawnos: readonly string[]; onFind: (drawno: string) => void; onTake: (drawno: string) => void } {
  const sectionOf = useMemo(() => sectionOfEach(rules, layout), [rules, layout]);
  const drawnos = useMemo(() => [...sectionOf.keys()], [sectionOf]);
  const onFind = useCallback(
    (drawno: string) => {
      setSectionKey(sectionOf.get(drawno)!.key);
      setCurrent(drawno);
    },
    [sectionOf, setSectionKey, setCurrent],
  );
  const onTake = useCallback(
    (drawno: string) => {
      const { slot } = sectionOf.get(drawno)!;
      flushSync(() => onFind(drawno));
      if (!disabled && selection[slot] !== drawno) onToggle(slot, drawno);
    },
    [sectionOf, onFind, disabled, selection, onToggle],
  );
  const onTyped = useCallback(
    (drawno: string) => {
      onTake(drawno);
      gridRef.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`)?.focus();
    },
    [gridRef, onTake],
  );
  useGridKeys(
    useMemo(() => drawnos.join(' '), [drawnos]),
    disabled,
    onTyped,
  );
  return { drawnos, onFind, onTake };
}
