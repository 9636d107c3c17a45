import type { Panel } from '@drawhouse/contract/live/live';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent, SyntheticEvent } from 'react';
import { keep, kept } from '../../../../lib/kept.ts';
import { useWidth } from '../../../../ui/useWidth.ts';
import type { GridProps } from '../grid.ts';
import { arrowTarget } from '../gridKeys.ts';
import { formatClock } from '../../liveFormat.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { cellRoom } from './cellRoom.ts';
import { drawnoOf } from './drawnoOf.ts';
import { JumpBar } from './JumpBar.tsx';
import { LabelBar, StandingLine } from './NumbersBar.tsx';
import { LabelCells } from './NumbersCells.tsx';
import type { CellLook } from './NumbersCells.tsx';
import { labelSections, rankedPlaces, scaleOf, standingOf } from './numbersMath.ts';
import type { Figure, Order } from './numbersMath.ts';
import { LABELS } from './numbersTexts.ts';
import { NumberDetail } from './NumberDetail.tsx';
import { useBeats } from './useBeats.ts';
import { useGlow } from './useGlow.ts';
import { useInSight } from './useInSight.ts';
import classes from './NumbersGrid.module.css';

/** Under which this device keeps what the cells show. */
const FIGURE_KEY = 'label-figure';

/** By what the numbers stand where not as they are counted: as it was at that moment, so that none moves away beneath a finger. */
interface Ranking {
  order: Exclude<Order, 'number'>;
  places: readonly number[];
  drawId: string;
  /** The server's time. */
  at: string;
}

const rank = (order: Ranking['order'], panel: Panel): Ranking => ({
  order,
  places: rankedPlaces(panel.data, order),
  drawId: panel.draw?._id ?? '',
  at: panel.serverTime,
});

const cellIn = (grid: HTMLElement | null, drawno: string) =>
  grid?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`);

/**
 * Up to a thousand numbers: each with what is staked on it, what it pays or what that leaves, in sections of a hundred, and beneath them
 * all about the one that is looked at.
 */
export function LabelGrid(props: GridProps) {
  const { panel, rules, layout, selection, result, booster, disabled, dimmed, onToggle } = props;
  const { data: rows, totalsumdata: collection } = panel;
  const drawId = panel.draw?._id ?? '';
  const { slot } = layout.sections[0]!;
  const { ref: measured, width } = useWidth();
  const cells = cellRoom(width);
  const detailId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const [figure, setFigure] = useState<Figure>(() => readFigure(kept(FIGURE_KEY)));
  const [ranking, setRanking] = useState<Ranking | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [current, setCurrent] = useState<string | null>(null);
  if (ranking && ranking.drawId !== drawId) setRanking(rank(ranking.order, panel));

  const drawnos = useMemo(() => rules.outcomes.map(({ drawno }) => drawno), [rules]);
  const placeOf = useMemo(() => new Map(drawnos.map((drawno, place) => [drawno, place])), [drawnos]);
  const sections = useMemo(() => labelSections(layout.sections, ranking && ranking.places), [layout, ranking]);
  const keys = sections.map(({ key }) => key).join(' ');
  const inSight = useInSight(grid, keys);
  const beatOf = useBeats();
  const sectionsInSight = useMemo(() => sections.filter(({ key }) => inSight.includes(key)), [sections, inSight]);
  useGlow(grid, { rows, scope: drawId, inSight: sectionsInSight });

  const standing = useMemo(() => standingOf(rows, booster, collection), [rows, booster, collection]);
  const scale = scaleOf(figure === 'sum' ? standing.largest.sum : standing.largest.pays);
  const selected = selection[slot] ?? null;
  const drawn = result?.selection[slot] ?? null;
  const lookedAt = hovered ?? current ?? selected ?? drawn ?? drawnos[standing.dearest]!;
  const reachable = current ?? selected ?? drawnos[sections[0]!.places[0]!]!;

  const onFind = useCallback((drawno: string) => {
    setCurrent(drawno);
    cellIn(grid.current, drawno)?.scrollIntoView({ block: 'center' });
  }, []);
  const take = useCallback(
    (drawno: string) => {
      if (!disabled && selected !== drawno) onToggle(slot, drawno);
    },
    [disabled, selected, slot, onToggle],
  );
  const onTyped = useCallback(
    (drawno: string) => {
      take(drawno);
      setCurrent(drawno);
      cellIn(grid.current, drawno)?.focus();
    },
    [take],
  );
  useGridKeys(
    useMemo(() => drawnos.join(' '), [drawnos]),
    disabled,
    onTyped,
  );

  function onClick(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno === null) return;
    setCurrent(drawno);
    if (!disabled) onToggle(slot, drawno);
  }

  function onPointerOver(event: PointerEvent) {
    if (event.pointerType === 'mouse') setHovered(drawnoOf(event));
  }

  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
    const index = all.indexOf(document.activeElement as HTMLElement);
    if (index < 0) return;
    const target = targetOf(event.key, index, all, sections[0]!.places.length);
    if (target === null) return;
    event.preventDefault();
    all[target]?.focus();
  }

  const look: CellLook = {
    figure,
    booster: figure === 'sum' ? 1 : booster,
    collection: figure === 'net' ? collection : 0,
    scale,
    wholeBelow: cells.wholeBelow,
    disabled,
  };
  const note =
    lookedAt === selected
      ? LABELS.chosen
      : lookedAt === drawn
        ? LABELS.result
        : standing.largest.pays > 0 && lookedAt === drawnos[standing.dearest]
          ? LABELS.dearest.toLowerCase()
          : '';

  return (
    <div
      ref={measured}
      className={classes.grid}
      style={
        { '--columns': cells.columns, '--inset': `${cells.inset}px`, '--room': `${cells.room}px` } as CSSProperties
      }
      data-beside={cells.beside || undefined}
    >
      <LabelBar
        figure={figure}
        onFigure={(chosen) => {
          keep(FIGURE_KEY, chosen);
          setFigure(chosen);
        }}
        order={ranking?.order ?? 'number'}
        rankedAt={ranking && formatClock(ranking.at)}
        onOrder={(order) => setRanking(order === 'number' ? null : rank(order, panel))}
        drawnos={drawnos}
        onFind={onFind}
        onTake={take}
      />
      <StandingLine rows={rows} standing={standing} booster={booster} collection={collection} onFind={onFind} />
      <div
        ref={grid}
        className={classes.sections}
        role="toolbar"
        tabIndex={-1}
        aria-label="Outcomes"
        data-dimmed={dimmed || undefined}
        onClick={onClick}
        onFocus={(event) => setCurrent((before) => drawnoOf(event) ?? before)}
        onPointerOver={onPointerOver}
        onPointerLeave={() => setHovered(null)}
        onKeyDown={moveFocus}
      >
        {sections.map(({ key, title, places }, nth) => {
          const own = (drawno: string | null) =>
            drawno !== null && places.includes(placeOf.get(drawno)!) ? drawno : null;
          return (
            <section key={key} className={classes.section} data-section={key}>
              {sections.length > 1 && <h2 className={classes.title}>{title}</h2>}
              <LabelCells
                rows={places.flatMap((place) => rows[place] ?? [])}
                selected={own(selected)}
                drawn={own(drawn)}
                current={own(current)}
                reachable={own(reachable)}
                detailId={detailId}
                inSight={inSight.includes(key)}
                beat={beatOf(nth)}
                {...look}
              />
            </section>
          );
        })}
      </div>
      <div className={classes.dock}>
        {sections.length > 1 && (
          <JumpBar
            sections={sections}
            rows={rows}
            figure={figure}
            scale={scale}
            current={inSight[0]}
            chosen={selected === null ? undefined : placeOf.get(selected)}
            onJump={(key) => grid.current?.querySelector(`[data-section="${key}"]`)?.scrollIntoView({ block: 'start' })}
          />
        )}
        <NumberDetail
          id={detailId}
          panel={panel}
          rules={rules}
          outcome={rules.outcomes[placeOf.get(lookedAt)!]!}
          booster={lookedAt === drawn && lookedAt !== selected ? result!.booster : booster}
          note={note}
          width={width}
        />
      </div>
    </div>
  );
}

function readFigure(text: string | null): Figure {
  return text !== null && text in LABELS.figures ? (text as Figure) : 'sum';
}

/** Where a key leads: the arrows by the rows that are seen, Page Up and Page Down by a section. */
function targetOf(key: string, index: number, cells: readonly HTMLElement[], inSection: number): number | null {
  const page = { PageUp: -inSection, PageDown: inSection }[key];
  if (page !== undefined) return Math.min(cells.length - 1, Math.max(0, index + page));
  const inRow = cells.findIndex(({ offsetTop }) => offsetTop !== cells[0]!.offsetTop);
  return arrowTarget(key, index, cells.length, inRow < 0 ? cells.length : inRow);
}
