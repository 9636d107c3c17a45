import type { PanelRow } from '@drawhouse/contract/live/live';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { formatPoints } from '../../../../lib/format.ts';
import { useWidth } from '../../../../ui/useWidth.ts';
import type { GridProps } from '../grid.ts';
import { arrowTargetAmong } from '../gridKeys.ts';
import { useGridKeys } from '../useGridKeys.ts';
import { ColorSign } from './ColorSign.tsx';
import { WheelCell } from './WheelCell.tsx';
import { figuresOf, signOf } from './wheelFigures.ts';
import { TABLE_ROWS, wheelPlaces } from './wheelTable.ts';
import { WHEEL } from './wheelTexts.ts';
import classes from './WheelGrid.module.css';

/** A table whose cells would be narrower stands upright. In px, as all below. */
const LEAST_CELL = 50;
/** Between two cells. */
const GAP = 4;
/** The number of an upright cell stands beside its figures, and takes so much. */
const HEAD_BESIDE = 44;
/** From this on a cell has a line for what it pays, and from that on both lines have their names. */
const PAYS_FROM = 84;
const NAMES_FROM = 140;
/** Cells are told their room in steps, so that dragging a window does not draw each of them anew at every px. */
const ROOM_STEP = 4;

/** The numbers of a wheel as its table lies before it; on a phone the table stands upright. */
export function WheelGrid(props: GridProps) {
  const { panel, layout, selection, result, booster, disabled, dimmed, narrow, onToggle } = props;
  const { slot, rows } = layout.sections[0]!;
  const table = useRef<HTMLDivElement>(null);
  const { ref, width } = useWidth();
  const [focused, setFocused] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);

  const columns = (rows[1]?.length ?? 0) + 1;
  const upright = narrow || width < columns * LEAST_CELL;
  const across = upright ? TABLE_ROWS : columns;
  const cellPx = (width - GAP * (across - 1)) / across;
  const besidePx = upright ? cellPx - HEAD_BESIDE : cellPx;
  const roomPx = Math.floor(besidePx / ROOM_STEP) * ROOM_STEP;
  const says = besidePx >= NAMES_FROM ? 'names' : !upright && cellPx >= PAYS_FROM ? 'pays' : 'least';
  const places = useMemo(() => wheelPlaces(rows, upright), [rows, upright]);

  const chosen = selection[slot];
  const drawn = result?.selection[slot];
  const known = (drawno: string | null | undefined) => panel.data.find((row) => row.drawno === drawno);
  const reachable = known(focused) ?? known(chosen) ?? panel.data[0];
  const shown = known(pointed) ?? known(focused) ?? known(chosen) ?? known(drawn);
  const boosterOf = (drawno: string) => (result && drawno === drawn && drawno !== chosen ? result.booster : booster);

  const toggle = useCallback((drawno: string) => onToggle(slot, drawno), [onToggle, slot]);
  const onTyped = useCallback(
    (drawno: string) => {
      if (chosen !== drawno) onToggle(slot, drawno);
      table.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`)?.focus();
    },
    [chosen, slot, onToggle],
  );
  useGridKeys(panel.data.map(({ drawno }) => drawno).join(' '), disabled, onTyped);

  function moveFocus(event: KeyboardEvent<HTMLElement>) {
    const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
    const index = cells.findIndex((cell) => cell === document.activeElement);
    const boxes = cells.map((cell) => cell.getBoundingClientRect());
    const target = index < 0 ? null : arrowTargetAmong(event.key, index, boxes);
    if (target === null) return;
    event.preventDefault();
    cells[target]?.focus();
  }

  return (
    <div ref={ref} className={classes.wheel}>
      <p className={classes.legend}>{WHEEL.legend[says]}</p>
      <div
        ref={table}
        className={classes.table}
        role="toolbar"
        tabIndex={-1}
        aria-label={WHEEL.outcomes}
        data-slot={slot}
        data-upright={upright || undefined}
        data-dimmed={dimmed || undefined}
        style={{ '--length-of-table': columns, '--shares': rows[0]?.length ?? 1 } as CSSProperties}
        onKeyDown={moveFocus}
        onBlur={() => setFocused(null)}
      >
        {panel.data.map((row, index) => (
          <WheelCell
            key={row.drawno}
            drawno={row.drawno}
            color={row.color}
            sum={row.sum}
            pays={row.pays}
            booster={boosterOf(row.drawno)}
            collection={panel.totalsumdata}
            scope={panel.draw?._id ?? ''}
            place={places.get(index)!}
            roomPx={roomPx}
            says={says}
            selected={row.drawno === chosen}
            sealed={row.drawno === drawn}
            disabled={disabled}
            reachable={row === reachable}
            onToggle={toggle}
            onFocus={setFocused}
            onPoint={setPointed}
          />
        ))}
      </div>
      <Detail row={shown} booster={shown ? boosterOf(shown.drawno) : 1} collection={panel.totalsumdata} />
    </div>
  );
}

/** The line beneath the table: all figures of the number that is looked at, exact. The cell itself says them to who can't see it. */
function Detail({ row, booster, collection }: { row: PanelRow | undefined; booster: number; collection: number }) {
  if (!row)
    return (
      <p className={classes.detail} data-empty>
        {WHEEL.detailHint}
      </p>
    );
  const { sum, percent, pays, leaves } = figuresOf(row, booster, collection);
  return (
    <p className={classes.detail} aria-hidden>
      <span className={classes.detailNumber} data-color={row.color ?? undefined}>
        {row.drawno}
        <ColorSign color={row.color} />
      </span>
      <span>
        {WHEEL.staked} <strong>{formatPoints(sum)}</strong> <span className={classes.percent}>{percent}</span>
      </span>
      <span>
        {WHEEL.pays} <strong>{formatPoints(pays)}</strong>
      </span>
      <span>
        {WHEEL.leaves} <strong data-sign={signOf(leaves)}>{formatPoints(leaves)}</strong>
      </span>
    </p>
  );
}
