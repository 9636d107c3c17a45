import type { Panel } from '@drawhouse/contract/live/live';
import type { GameRules, Outcome } from '@drawhouse/rules/games/rules';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useMemo, useRef, useState, startTransition, useEffect, type RefObject } from 'react';
import { writeStored, readStored } from '../../../../lib/devicePreferences.ts';
import { useWidth } from '../../../../ui/useWidth.ts';
import { formatClock } from '../../liveFormat.ts';
import { cellAppearance, scaleOf, type CellAppearance, type Figure } from './cellFigures.ts';
import { cellLayout, cellStyle, detailWidth } from './cellLayout.ts';
import { gridTexts, cellTexts, numberTexts, wheelTexts } from '../gridTexts.ts';
import { resultConsequence } from '../../panel/panelMath.ts';
import { boosterOf, type GridProps } from '../grid.ts';
import { arrowTarget, useFocusedNumber, type KeyTarget } from '../gridKeys.ts';
import parts from '../gridParts.module.css';
import { NumberCells, NumbersToolbar } from './NumberCells.tsx';
import {
  reasonOf,
  numberSections,
  markedOf,
  extremesOf,
  type NumberSection,
  type Marked,
  headFigures,
} from './numberMath.ts';
import { useNumberSearch } from '../FindField.tsx';
import { useGlow } from '../../LiveMarks.tsx';
import { JumpBar, useInSight, NumberBar, ExtremesLine } from './NumberBars.tsx';
import { useRanking, type Ranking } from '../ranking.ts';
import classes from './NumberGrid.module.css';
import { FittingAmount } from '../FittingAmount.tsx';
import numberDetailClasses from './NumberDetail.module.css';

export function NumberGrid(props: GridProps) {
  const { panel, rules, layout, booster, disabled, dimmed, onToggle } = props;
  const { data: rows, totalsumdata: collection } = panel;
  const { slot } = layout.sections[0]!;
  const { ref: measured, width } = useWidth();
  const cells = cellLayout(width);
  const detailId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [figure, setFigure] = useFigure();
  const [ranking, setOrder] = useRanking(panel);
  const focus = useFocusedNumber();
  const { drawnos, onFind, onTake } = useNumberSearch(grid, props, focus.setCurrent);
  const indexOf = useMemo(() => new Map(drawnos.map((drawno, index) => [drawno, index])), [drawnos]);
  const { sections, inSight } = useSections(grid, props, ranking);
  const extremes = useMemo(() => extremesOf(rows, booster, collection), [rows, booster, collection]);
  const scale = scaleOf(figure === 'sum' ? extremes.largest.sum : extremes.largest.pays);
  const dearest = drawnos[extremes.dearest]!;
  const marked = markedOf(props, slot, focus, { dearest, first: drawnos[sections[0]!.indexes[0]!]! });
  const { selected, focused } = marked;

  return (
    <div ref={measured} className={parts.numbers} style={cellStyle(cells)} data-beside={cells.horizontal || undefined}>
      <NumberBar
        figure={figure}
        onFigure={setFigure}
        order={ranking?.order ?? 'number'}
        rankedAt={ranking && formatClock(ranking.at)}
        onOrder={setOrder}
        drawnos={drawnos}
        onFind={onFind}
        onTake={onTake}
      />
      <ExtremesLine rows={rows} extremes={extremes} booster={booster} collection={collection} onFind={onFind} />
      <NumbersToolbar
        ref={grid}
        className={classes.sections}
        label={gridTexts.outcomes}
        dimmed={dimmed}
        focus={focus}
        targetOf={(...of) => targetOf(sections[0]!.indexes.length, ...of)}
        onClick={(drawno) => !disabled && onToggle(slot, drawno)}
      >
        <Sections
          sections={sections}
          rows={rows}
          payable={props.payable}
          indexOf={indexOf}
          marked={marked}
          current={focus.current}
          detailId={detailId}
          inSight={inSight}
          appearance={cellAppearance({ figure, booster, collection, scale, compactFrom: cells.compactFrom, disabled })}
        />
      </NumbersToolbar>
      <div className={classes.dock}>
        {sections.length > 1 && (
          <JumpBar
            sections={sections}
            rows={rows}
            figure={figure}
            scale={scale}
            current={inSight[0]}
            chosen={selected === null ? undefined : indexOf.get(selected)}
            onJump={(key) => grid.current?.querySelector(`[data-section="${key}"]`)?.scrollIntoView({ block: 'start' })}
          />
        )}
        <NumberDetail
          id={detailId}
          panel={panel}
          rules={rules}
          outcome={rules.outcomes[indexOf.get(focused)!]!}
          booster={boosterOf(props, slot, focused)}
          note={NOTES[reasonOf(marked, extremes.largest.pays > 0 ? dearest : null) ?? 'none']}
          width={width}
        />
      </div>
    </div>
  );
}

const NOTES = {
  chosen: numberTexts.chosen,
  result: numberTexts.result,
  dearest: numberTexts.dearest.toLowerCase(),
  none: '',
};

interface SectionsProps {
  sections: readonly NumberSection[];
  rows: GridProps['panel']['data'];
  payable: number;
  indexOf: ReadonlyMap<string, number>;
  marked: Marked;
  current: string | null;
  detailId: string;
  inSight: readonly string[];
  appearance: CellAppearance;
}

function Sections({ sections, rows, payable, indexOf, marked, current, detailId, inSight, appearance }: SectionsProps) {
  const beatOf = useBeats();
  return sections.map(({ key, title, indexes }, nth) => {
    const own = (drawno: string | null) => (drawno !== null && indexes.includes(indexOf.get(drawno)!) ? drawno : null);
    return (
      <section key={key} className={classes.section} data-section={key}>
        {sections.length > 1 && <h2 className={classes.title}>{title}</h2>}
        <NumberCells
          rows={indexes.flatMap((index) => rows[index] ?? [])}
          payable={payable}
          selected={own(marked.selected)}
          drawn={own(marked.drawn)}
          current={own(current)}
          reachable={own(marked.reachable)}
          detailId={detailId}
          inSight={inSight.includes(key)}
          beat={beatOf(nth)}
          {...appearance}
        />
      </section>
    );
  });
}

function useSections(
  grid: RefObject<HTMLElement | null>,
  { panel, layout }: GridProps,
  ranking: Ranking | null,
): { sections: readonly NumberSection[]; inSight: readonly string[] } {
  const sections = useMemo(() => numberSections(layout.sections, ranking && ranking.indexes), [layout, ranking]);
  const inSight = useInSight(grid, sections.map(({ key }) => key).join(' '));
  const sectionsInSight = useMemo(() => sections.filter(({ key }) => inSight.includes(key)), [sections, inSight]);
  useGlow(grid, { rows: panel.data, scope: panel.draw?._id ?? '', inSight: sectionsInSight });
  return { sections, inSight };
}

/** Renaming it would reset users' choices. */
const FIGURE_KEY = 'label-figure';

function useFigure(): [figure: Figure, setFigure: (figure: Figure) => void] {
  const [figure, setFigure] = useState<Figure>(() => readFigure(readStored(FIGURE_KEY)));
  return [
    figure,
    (chosen) => {
      writeStored(FIGURE_KEY, chosen);
      setFigure(chosen);
    },
  ];
}

function readFigure(text: string | null): Figure {
  return text !== null && text in cellTexts.figures ? (text as Figure) : 'sum';
}

/** Arrows follow the visible rows; Page Up and Page Down skip a section. */
function targetOf(inSection: number, ...[key, index, cells]: Parameters<KeyTarget>): number | null {
  const page = { PageUp: -inSection, PageDown: inSection }[key];
  if (page !== undefined) return Math.min(cells.length - 1, Math.max(0, index + page));
  const inRow = cells.findIndex(({ offsetTop }) => offsetTop !== cells[0]!.offsetTop);
  return arrowTarget(key, index, cells.length, inRow < 0 ? cells.length : inRow);
}

/** Out of sight, sections update within two seconds, spread over beats to keep frames short. */
const BEATS = 5;
const BEAT_MS = 2_000 / BEATS;

function useBeats(): (index: number) => number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => startTransition(() => setBeat((before) => before + 1)), BEAT_MS);
    return () => clearInterval(timer);
  }, []);
  return (index) => Math.floor((beat + index) / BEATS);
}

interface NumberDetailProps {
  id: string;
  panel: Panel;
  rules: GameRules;
  outcome: Outcome;
  booster: number;
  /** Empty for plain browsing. */
  note: string;
  width: number;
}

function NumberDetail({ id, panel, rules, outcome, booster, note, width }: NumberDetailProps) {
  const [open, setOpen] = useState(false);
  const { drawno, label } = outcome;
  const heads = headFigures(rules, outcome, panel.stakes);
  // With one bet kind, its figures are the totals.
  const [only] = heads.length === 1 ? heads : [];
  const { pays, leaves } = resultConsequence(panel, rules, { drawno }, booster);
  const row = panel.data[rules.outcomes.indexOf(outcome)];
  const amountWidth = detailWidth(width, heads.length, open);
  return (
    <section className={numberDetailClasses.detail} aria-label={gridTexts.number(label)} data-open={open || undefined}>
      <div className={numberDetailClasses.said} id={id}>
        <div className={numberDetailClasses.number}>
          <strong>{label}</strong>{' '}
          <span className={`${parts.note} ${numberDetailClasses.note}`}>
            {note}
            {only && ` × ${only.ratio}`}
          </span>
        </div>
        {!only && (
          <ul className={numberDetailClasses.heads}>
            {heads.map((head) => (
              <li key={head.name}>
                <span className={numberDetailClasses.label}>{head.label}</span>
                <span className={numberDetailClasses.sum}>
                  <FittingAmount value={head.sum} amountWidth={amountWidth.head} after={` × ${head.ratio}`} />
                </span>
                <Amount value={head.pays} amountWidth={amountWidth.head} />
              </li>
            ))}
          </ul>
        )}
        <dl className={numberDetailClasses.totals}>
          <Total name={numberTexts.total} value={row?.sum ?? 0} amountWidth={amountWidth.total} />
          <Total name={`${numberTexts.payout} ${booster} X`} value={pays} amountWidth={amountWidth.total} />
          <Total name={numberTexts.netIfDeclared} value={leaves} amountWidth={amountWidth.total} signed />
        </dl>
      </div>
      {!only && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={numberDetailClasses.more}
          aria-expanded={open}
          aria-label={wheelTexts.kinds(label)}
          onClick={() => setOpen(!open)}
        >
          {open ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
        </ActionIcon>
      )}
    </section>
  );
}

interface AmountProps {
  value: number;
  amountWidth: number;
  signed?: boolean;
}

function Total({ name, ...amount }: AmountProps & { name: string }) {
  return (
    <div>
      <dt className={numberDetailClasses.label}>{name}</dt>
      <dd>
        <Amount {...amount} />
      </dd>
    </div>
  );
}

function Amount({ value, amountWidth, signed = false }: AmountProps) {
  const tone = value < 0 ? 'loss' : value === 0 ? 'zero' : signed ? 'gain' : undefined;
  return (
    <span className={numberDetailClasses.amount} data-tone={tone}>
      <FittingAmount value={value} amountWidth={amountWidth} />
    </span>
  );
}
