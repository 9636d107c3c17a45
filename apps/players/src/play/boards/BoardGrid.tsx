import {
  useLayoutEffect,
  useRef,
  useState,
  memo,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Chip } from '../chips/Chip.tsx';
import { costOf } from '../slip/slipSums.ts';
import { playTexts } from '../playTexts.ts';
import styles from './CellButton.module.css';

export interface CellBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type WalkKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export function isWalkKey(key: string): key is WalkKey {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);
}

/** Finds the nearest cell in that direction, same row or column first. Home and End jump to the first and last. */
export function walk(boxes: readonly CellBox[], from: number, key: WalkKey): number {
  if (key === 'Home') return 0;
  if (key === 'End') return boxes.length - 1;
  const current = boxes[from];
  if (!current) return from;
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const middle = ({ left, top, width, height }: CellBox) => ({ x: left + width / 2, y: top + height / 2 });
  const start = middle(current);
  let best = from;
  let least = Infinity;
  for (const [index, box] of boxes.entries()) {
    const end = middle(box);
    const ahead = sign * (isAcross ? end.x - start.x : end.y - start.y);
    const offset = Math.abs(isAcross ? end.y - start.y : end.x - start.x);
    const reach = (isAcross ? current.height + box.height : current.width + box.width) / 2;
    // No overlap means another row or column.
    if (index === from || ahead <= 1 || (isAcross && offset >= reach)) continue;
    const distance = ahead + (offset >= reach ? 10 : 0.5) * offset;
    if (distance < least) {
      best = index;
      least = distance;
    }
  }
  return best;
}

interface BoardGridProps {
  label: string;
  className?: string | undefined;
  style?: CSSProperties;
  onErase: (key: string) => void;
  children: ReactNode;
}

/**
 * One tab stop; arrow keys move by layout, Enter and Space bet, Delete and Backspace remove. Expects `data-cell`
 * buttons inside `gridcell` elements.
 */
export function BoardGrid({ label, className, style, onErase, children }: BoardGridProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const cells = (): HTMLElement[] => [...ref.current!.querySelectorAll<HTMLElement>('[data-cell]')];
  useLayoutEffect(() => {
    const all = cells();
    const tabStop = all.find((cell) => cell.dataset['cell'] === current) ?? all[0];
    for (const cell of all) cell.tabIndex = cell === tabStop ? 0 : -1;
  });
  const enter = ({ target }: FocusEvent) => setCurrent((target as HTMLElement).dataset['cell'] ?? null);
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = cells();
    const from = all.indexOf(document.activeElement as HTMLElement);
    if (from < 0) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      onErase(all[from]!.dataset['cell']!);
    }
    if (!isWalkKey(event.key)) return;
    event.preventDefault();
    const boxes = all.map((cell) => cell.getBoundingClientRect());
    all[walk(boxes, from, event.key)]!.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={ref} role="grid" aria-label={label} className={className} style={style} onFocus={enter} onKeyDown={press}>
      {children}
    </div>
  );
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- cells of a board wrap as there is room, which those of a table of HTML don't */
interface PartProps {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  children: ReactNode;
}

export function GridRows({ label, ...rest }: PartProps & { label?: string | undefined }) {
  return <div role="rowgroup" aria-label={label} {...rest} />;
}

export function GridRow(props: PartProps) {
  return <div role="row" {...props} />;
}

export function GridCell(props: PartProps) {
  return <div role="gridcell" {...props} />;
}

interface CellButtonProps {
  cell: string;
  name: string;
  /** Units on the slip. */
  units: number;
  /** Placed on the running draw. */
  placed: number;
  isDrawn: boolean;
  unitPrice: number;
  look?: string | undefined;
  style?: CSSProperties | undefined;
  className?: string | undefined;
  onTouch: (cell: string) => void;
  children: ReactNode;
}

export const CellButton = memo(function CellButton(props: CellButtonProps) {
  const { cell, name, units, placed, isDrawn, unitPrice, look, style, className = '', onTouch, children } = props;
  const { onSlip, onDraw, drawn } = playTexts.board;
  const ariaLabel = [
    name,
    isDrawn && drawn,
    units > 0 && onSlip(costOf(units, unitPrice)),
    placed > 0 && onDraw(costOf(placed, unitPrice)),
  ];
  return (
    <GridCell className={`${styles.cell} ${className}`} style={style}>
      <button
        type="button"
        className={styles.button}
        data-cell={cell}
        data-look={look}
        data-bet={units > 0 || undefined}
        data-drawn={isDrawn || undefined}
        tabIndex={-1}
        aria-label={ariaLabel.filter(Boolean).join(', ')}
        onClick={() => onTouch(cell)}
      >
        {children}
      </button>
      {/* Outside the button, whose name already includes it. */}
      {units > 0 && (
        <span className={styles.stack}>
          <Chip points={costOf(units, unitPrice)} units={units} size={25} />
        </span>
      )}
      {placed > 0 && (
        <span className={styles.placed}>
          <Chip points={costOf(placed, unitPrice)} units={placed} size={25} />
        </span>
      )}
    </GridCell>
  );
});
