import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent, SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { slotOf } from '@drawhouse/rules/layout';
import { ChoiceButton } from '../../../../ui/ChoiceButton.tsx';
import { useWidth } from '../../../../ui/useWidth.ts';
import { sectionRows } from '../grid.ts';
import type { GridProps } from '../grid.ts';
import { arrowTarget } from '../gridKeys.ts';
import { cellRoom, lineRoom } from '../numbers/cellRoom.ts';
import { drawnoOf } from '../numbers/drawnoOf.ts';
import { FindField } from '../numbers/FindField.tsx';
import { LabelCells } from '../numbers/NumbersCells.tsx';
import type { CellLook } from '../numbers/NumbersCells.tsx';
import { scaleOf } from '../numbers/numbersMath.ts';
import type { Figure } from '../numbers/numbersMath.ts';
import { LABELS } from '../numbers/numbersTexts.ts';
import { useGlow } from '../numbers/useGlow.ts';
import { consequence } from '../../panel/panelMath.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { ChosenWinners } from '../ChosenWinners.tsx';
import { ChosenSheet } from '../ChosenSheet.tsx';
import { groupTabs, sectionFigures } from '../groupMath.ts';
import { GROUPS } from '../groupTexts.ts';
import { NumberLine } from './NumberLine.tsx';
import { Amount, SeriesTabs, SubSeriesList } from './SeriesTabs.tsx';
import classes from './SeriesGrid.module.css';

/**
 * Numbers of which each sub-series has its own winner: a tab for each series, the list of its sub-series, and the hundred numbers of one of them. What
 * is chosen in all of them stands beneath. Typed digits lead to a number wherever it is.
 */
export function SeriesGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, disabled, dimmed, narrow, onToggle } = props;
  const { sections } = layout;
  const tabs = useMemo(() => groupTabs(layout), [layout]);
  const ids = { board: useId(), line: useId() };
  const grid = useRef<HTMLDivElement>(null);
  const { ref: measured, width } = useWidth();
  const cells = cellRoom(width);
  const [sectionKey, setSectionKey] = useState(sections[0]!.key);
  const [figure, setFigure] = useState<Figure>('sum');
  const [current, setCurrent] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);

  const section = sections.find(({ key }) => key === sectionKey) ?? sections[0]!;
  const tab = tabs.find((each) => each.sections.includes(section))!;
  const { slot, title } = section;
  const places = useMemo(() => section.rows.flat(), [section]);
  const rows = sectionRows(panel, section).flat();
  const figures = sectionFigures(section, panel, rules);
  const selected = selection[slot] ?? null;
  const drawn = result?.selection[slot] ?? null;
  const own = (drawno: string | null) => (rows.some((row) => row.drawno === drawno) ? drawno : null);
  const reachable = own(current) ?? selected ?? rows[0]?.drawno ?? null;
  const lookedAt = own(hovered) ?? reachable;
  const lookedAtRow = rows.find(({ drawno }) => drawno === lookedAt);

  const inSight = useMemo(() => [{ key: section.key, title, short: title, places }], [section, title, places]);
  useGlow(grid, { rows: panel.data, scope: `${panel.draw?._id} ${section.key}`, inSight });

  const sectionOf = useMemo(() => {
    const bySlot = new Map(sections.map((each) => [each.slot, each]));
    return new Map(rules.outcomes.map((outcome) => [outcome.drawno, bySlot.get(slotOf(outcome))!]));
  }, [rules, sections]);
  const drawnos = useMemo(() => [...sectionOf.keys()], [sectionOf]);

  const look = useCallback(
    (drawno: string) => {
      setSectionKey(sectionOf.get(drawno)!.key);
      setCurrent(drawno);
    },
    [sectionOf],
  );
  const onTyped = useCallback(
    (drawno: string) => {
      const of = sectionOf.get(drawno)!;
      flushSync(() => look(drawno));
      if (!disabled && selection[of.slot] !== drawno) onToggle(of.slot, drawno);
    },
    [sectionOf, look, disabled, selection, onToggle],
  );
  const onKey = useCallback(
    (drawno: string) => {
      onTyped(drawno);
      grid.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`)?.focus();
    },
    [onTyped],
  );
  useGridKeys(
    useMemo(() => drawnos.join(' '), [drawnos]),
    disabled,
    onKey,
  );

  /** The sub-series at the same place of another series. */
  function showTab(key: string) {
    const other = tabs.find((each) => each.key === key)!;
    setSectionKey(other.sections[tab.sections.indexOf(section)]!.key);
  }

  function onClick(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno === null) return;
    setCurrent(drawno);
    if (!disabled) onToggle(slot, drawno);
  }

  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
    const index = all.indexOf(document.activeElement as HTMLElement);
    const target = index < 0 ? null : arrowTarget(event.key, index, all.length, cells.columns);
    if (target === null) return;
    event.preventDefault();
    all[target]?.focus();
  }

  const cellLook: CellLook = {
    figure,
    booster: figure === 'sum' ? 1 : booster,
    collection: figure === 'net' ? figures.collection : 0,
    scale: scaleOf(figure === 'sum' ? figures.largest : figures.worst),
    wholeBelow: cells.wholeBelow,
    disabled,
  };
  const chosen = { ...props, tabs, hint: GROUPS.nothingChosen.series };
  return (
    <div className={classes.grid}>
      <div className={classes.top}>
        <SeriesTabs
          tabs={tabs}
          current={tab.key}
          controls={ids.board}
          panel={panel}
          rules={rules}
          selection={selection}
          onChange={showTab}
        />
        <div className={classes.tools}>
          <fieldset className={classes.figures} aria-label={LABELS.figureOf}>
            {(Object.keys(LABELS.figures) as Figure[]).map((each) => (
              <ChoiceButton key={each} chosen={each === figure} onClick={() => setFigure(each)}>
                {LABELS.figures[each]}
              </ChoiceButton>
            ))}
          </fieldset>
          <FindField drawnos={drawnos} onFind={look} onTake={onTyped} />
        </div>
      </div>
      {narrow && <ChosenSheet {...chosen} />}
      <div className={classes.middle}>
        <SubSeriesList
          sections={tab.sections}
          current={section.key}
          controls={ids.board}
          panel={panel}
          rules={rules}
          booster={booster}
          selection={selection}
          result={result}
          onChange={setSectionKey}
        />
        <div
          ref={measured}
          className={classes.board}
          style={
            { '--columns': cells.columns, '--inset': `${cells.inset}px`, '--room': `${cells.room}px` } as CSSProperties
          }
          id={ids.board}
          role="tabpanel"
          aria-label={title}
        >
          <div className={classes.boardHead}>
            <strong>{title}</strong>
            <Amount name={GROUPS.collection} value={figures.collection} />
            <Amount
              name={GROUPS.worst}
              value={consequence({ pays: figures.worst }, booster, figures.collection).pays}
            />
          </div>
          <div
            ref={grid}
            className={classes.numbers}
            role="toolbar"
            tabIndex={-1}
            aria-label={`${GROUPS.numbersOf} ${title}`}
            data-dimmed={dimmed || undefined}
            onClick={onClick}
            onFocus={(event) => setCurrent((before) => drawnoOf(event) ?? before)}
            onPointerOver={(event: PointerEvent) => event.pointerType === 'mouse' && setHovered(drawnoOf(event))}
            onPointerLeave={() => setHovered(null)}
            onKeyDown={moveFocus}
          >
            <div data-section={section.key}>
              <LabelCells
                key={section.key}
                rows={rows}
                selected={selected}
                drawn={drawn}
                current={lookedAt === reachable ? own(current) : null}
                reachable={reachable}
                detailId={ids.line}
                {...cellLook}
              />
            </div>
          </div>
          {lookedAtRow && (
            <NumberLine
              id={ids.line}
              row={lookedAtRow}
              title={title}
              collection={figures.collection}
              booster={lookedAt === drawn && lookedAt !== selected ? result!.booster : booster}
              note={lookedAt === selected ? GROUPS.chosen : lookedAt === drawn ? GROUPS.result : ''}
              room={lineRoom(width)}
            />
          )}
        </div>
      </div>
      {!narrow && <ChosenWinners {...chosen} />}
    </div>
  );
}
