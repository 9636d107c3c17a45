import type { PanelRow } from '@drawhouse/contract/live/live';
import { IconCheck, IconLock } from '@tabler/icons-react';
import {
  memo,
  type CSSProperties,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { liveTexts } from '../../liveTexts.ts';
import { isUncovered } from '../../panel/panelMath.ts';
import { cellTexts } from '../gridTexts.ts';
import { moveFocus, drawnoOf, type KeyTarget, type FocusTools } from '../gridKeys.ts';
import { cellText, figureOf, stepsOf, weightOf, type CellAppearance } from './cellFigures.ts';
import classes from './NumberCells.module.css';

interface NumberCellsProps extends CellAppearance {
  rows: readonly PanelRow[];
  /** Absent if no single number is a result. */
  payable?: number;
  selected: string | null;
  drawn: string | null;
  current: string | null;
  reachable: string | null;
  /** Out of sight, sections render only when `beat` changes. */
  detailId: string;
  inSight?: boolean;
  beat?: number;
}

const FRAME: readonly (keyof NumberCellsProps)[] = ['rows', 'payable', 'collection', 'scale'];

/** Out of sight, renders only per beat. The grid handles clicks and keys. */
export const NumberCells = memo(
  function NumberCells({
    rows,
    payable = Infinity,
    selected,
    drawn,
    current,
    reachable,
    detailId,
    ...look
  }: NumberCellsProps) {
    const { figure, booster, collection, scale, compactFrom, disabled } = look;
    return (
      <div className={classes.cells} data-cells>
        {rows.map((row) => (
          <NumberCell
            key={row.drawno}
            row={row}
            uncovered={isUncovered(row, booster, payable)}
            figure={figure}
            booster={booster}
            collection={collection}
            scale={scale}
            compactFrom={compactFrom}
            disabled={disabled}
            selected={row.drawno === selected}
            sealed={row.drawno === drawn}
            current={row.drawno === current}
            reachable={row.drawno === reachable}
            describedBy={row.drawno === current ? detailId : undefined}
          />
        ))}
      </div>
    );
  },
  (before, after) => {
    const waits = after.inSight === false && before.beat === after.beat;
    const names = Object.keys(after) as (keyof NumberCellsProps)[];
    return names.every((name) => {
      if (name === 'beat' || name === 'inSight' || (waits && FRAME.includes(name))) return true;
      return name === 'rows' ? isSame(before.rows, after.rows) : before[name] === after[name];
    });
  },
);

/** Unchanged rows keep their identity. */
function isSame(before: readonly PanelRow[], after: readonly PanelRow[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}

interface NumberCellProps extends CellAppearance {
  row: PanelRow;
  /** The payout exceeds the table's balance and the admin's credit. */
  uncovered: boolean;
  selected: boolean;
  sealed: boolean;
  current: boolean;
  reachable: boolean;
  describedBy: string | undefined;
}

const NumberCell = memo(function NumberCell(props: NumberCellProps) {
  const { row, figure, selected, sealed } = props;
  const amount = figureOf(row, figure, props.booster, props.collection);
  const text = cellText(amount, props.compactFrom);
  const style = { '--steps': stepsOf(weightOf(row, figure), props.scale), '--length': text.length } as CSSProperties;
  return (
    <button
      type="button"
      className={classes.cell}
      style={style}
      data-drawno={row.drawno}
      data-sealed={sealed || undefined}
      data-uncovered={props.uncovered || undefined}
      data-current={props.current || undefined}
      aria-pressed={selected}
      // Not `disabled`, so details stay accessible.
      aria-disabled={props.disabled || undefined}
      aria-describedby={props.describedBy}
      tabIndex={props.reachable ? 0 : -1}
    >
      <span className={classes.name}>{row.label}</span>
      {selected && <IconCheck className={classes.mark} aria-hidden />}
      {sealed && !selected && <IconLock className={classes.mark} aria-hidden />}
      {sealed && <span className="unseen">{cellTexts.result}</span>}
      {props.uncovered && <span className="unseen">{liveTexts.uncovered}</span>}
      <span className={classes.amount} data-tone={amount < 0 ? 'loss' : amount === 0 ? 'zero' : undefined}>
        {text}
      </span>
    </button>
  );
});

interface NumbersToolbarProps {
  ref: RefObject<HTMLDivElement | null>;
  className: string | undefined;
  label: string;
  dimmed: boolean;
  focus: FocusTools;
  targetOf: KeyTarget;
  onClick: (drawno: string) => void;
  children: ReactNode;
}

/** One tab stop: keys move among the numbers, and a click or hover selects one for the detail. */
export function NumbersToolbar(props: NumbersToolbarProps) {
  const { ref, className, label, dimmed, focus: look, targetOf, onClick, children } = props;

  function click(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno === null) return;
    look.setCurrent(drawno);
    onClick(drawno);
  }

  function focus(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno !== null) look.setCurrent(drawno);
  }

  return (
    <div
      ref={ref}
      className={className}
      role="toolbar"
      tabIndex={-1}
      aria-label={label}
      data-dimmed={dimmed || undefined}
      onClick={click}
      onFocus={focus}
      onPointerOver={(event: PointerEvent) => event.pointerType === 'mouse' && look.setHovered(drawnoOf(event))}
      onPointerLeave={() => look.setHovered(null)}
      onKeyDown={(event) => moveFocus(event, targetOf)}
    >
      {children}
    </div>
  );
}
