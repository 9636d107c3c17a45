import { layoutTabs, sectionUnder, type PanelSection } from '@drawhouse/rules/panel/layout';
import { useId, useMemo, useRef, useState, type RefObject, type ComponentProps } from 'react';
import type { PanelRow } from '@drawhouse/contract/live/live';
import { ChosenWinners, ConsequenceText, summaryOf } from '../chosen/ChosenWinners.tsx';
import { FigureChoice, FindField, useNumberSearch } from '../FindField.tsx';
import parts from '../gridParts.module.css';
import { groupTexts, gridTexts } from '../gridTexts.ts';
import { useFocusedNumber, arrowTarget, type FocusTools } from '../gridKeys.ts';
import { useWidth } from '../../../../ui/useWidth.ts';
import { consequence } from '../../panel/panelMath.ts';
import { cellAppearance, scaleOf, type Figure } from '../numbers/cellFigures.ts';
import { cellLayout, cellStyle, lineWidth } from '../numbers/cellLayout.ts';
import { boosterOf, sectionRows, type GridProps } from '../grid.ts';
import { sectionFigures } from '../groupMath.ts';
import { NumberCells, NumbersToolbar } from '../numbers/NumberCells.tsx';
import { reasonOf } from '../numbers/numberMath.ts';
import { useGlow } from '../../LiveMarks.tsx';
import { FittingAmount } from '../FittingAmount.tsx';
import { Sheet } from '../../../../ui/dialog/Dialog.tsx';
import sheetClasses from '../chosen/ChosenWinners.module.css';
import { SeriesTabs, SubSeriesList, Amount } from './SeriesTabs.tsx';
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

interface SeriesBoardProps extends GridProps {
  grid: RefObject<HTMLDivElement | null>;
  id: string;
  section: PanelSection;
  figure: Figure;
  focus: FocusTools;
}

function SeriesBoard({ grid, id, section, figure, focus, ...props }: SeriesBoardProps) {
  const { panel, rules, selection, result, booster, disabled, dimmed, onToggle } = props;
  const { slot, title } = section;
  const lineId = useId();
  const { ref: measured, width } = useWidth();
  const cells = cellLayout(width);
  const indexes = useMemo(() => section.rows.flat(), [section]);
  const rows = sectionRows(panel, section).flat();
  const { collection, worst, largest } = sectionFigures(section, panel, rules);
  const inSight = useMemo(() => [{ key: section.key, indexes }], [section, indexes]);
  useGlow(grid, { rows: panel.data, scope: `${panel.draw?._id} ${section.key}`, inSight });

  const selected = selection[slot] ?? null;
  const drawn = result?.selection[slot] ?? null;
  const own = (drawno: string | null) => (rows.some((row) => row.drawno === drawno) ? drawno : null);
  const reachable = own(focus.current) ?? selected ?? rows[0]?.drawno ?? null;
  const focused = own(focus.hovered) ?? reachable;
  const focusedRow = rows.find(({ drawno }) => drawno === focused);
  const scale = scaleOf(figure === 'sum' ? largest : worst);
  return (
    <div
      ref={measured}
      className={`${parts.numbers} ${classes.board}`}
      style={cellStyle(cells)}
      id={id}
      role="tabpanel"
      aria-label={title}
    >
      <div className={classes.boardHead}>
        <strong>{title}</strong>
        <Amount name={groupTexts.collection} value={collection} />
        <Amount name={groupTexts.worst} value={consequence({ pays: worst }, booster, collection).pays} />
      </div>
      <NumbersToolbar
        ref={grid}
        className={classes.numbers}
        label={`${groupTexts.numbersOf} ${title}`}
        dimmed={dimmed}
        focus={focus}
        targetOf={(key, index, all) => arrowTarget(key, index, all.length, cells.columns)}
        onClick={(drawno) => !disabled && onToggle(slot, drawno)}
      >
        <div data-section={section.key}>
          <NumberCells
            key={section.key}
            rows={rows}
            selected={selected}
            drawn={drawn}
            current={focused === reachable ? own(focus.current) : null}
            reachable={reachable}
            detailId={lineId}
            {...cellAppearance({ figure, booster, collection, scale, compactFrom: cells.compactFrom, disabled })}
          />
        </div>
      </NumbersToolbar>
      {focusedRow && (
        <NumberLine
          id={lineId}
          row={focusedRow}
          title={title}
          collection={collection}
          booster={boosterOf(props, slot, focusedRow.drawno)}
          note={NOTES[reasonOf({ focused: focusedRow.drawno, selected, drawn }, null) ?? 'none']}
          amountWidth={lineWidth(width)}
        />
      )}
    </div>
  );
}

const NOTES = { chosen: groupTexts.chosen, result: groupTexts.result, dearest: '', none: '' };

interface NumberLineProps {
  id: string;
  row: PanelRow;
  title: string;
  collection: number;
  booster: number;
  note: string;
  amountWidth: number;
}

function NumberLine({ id, row, title, collection, booster, note, amountWidth }: NumberLineProps) {
  const { pays, leaves } = consequence(row, booster, collection);
  const figures: { name: string; of?: string; value: number; sign?: 'loss' | 'gain' | undefined }[] = [
    { name: groupTexts.staked, value: row.sum },
    { name: groupTexts.paysWith(booster), value: pays },
    { name: groupTexts.leaves, of: title, value: leaves, sign: leaves < 0 ? 'loss' : leaves > 0 ? 'gain' : undefined },
  ];
  return (
    <section className={`${parts.line} ${classes.line}`} aria-label={`${groupTexts.numberOf} ${row.drawno}`}>
      <div>
        <strong className={classes.lineNumber}>{row.drawno}</strong>{' '}
        <span className={`${parts.note} ${classes.note}`}>{note}</span>
      </div>
      <dl className={classes.lineFigures} id={id}>
        {figures.map(({ name, of, value, sign }) => (
          <div key={name}>
            <dt>
              {name}
              {of !== undefined && <span className={classes.of}>{gridTexts.of(of)}</span>}
            </dt>
            <dd data-sign={sign}>
              <FittingAmount value={value} amountWidth={amountWidth} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ChosenSheet(props: ComponentProps<typeof ChosenWinners>) {
  const [opened, setOpened] = useState(false);
  const { panel, tabs, selection, booster } = props;
  const { count, of, consequence: whole } = summaryOf(panel, tabs, selection, booster);
  return (
    <>
      <button type="button" className={sheetClasses.opener} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <strong>{groupTexts.chosenOf(count, of)}</strong>
        {count > 0 && <ConsequenceText of={whole} />}
        <span className={sheetClasses.cross} aria-hidden>
          ›
        </span>
      </button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        title={groupTexts.chosenNumbers}
        styles={{ content: { height: 'auto', maxHeight: '85dvh' } }}
      >
        <ChosenWinners {...props} />
      </Sheet>
    </>
  );
}
