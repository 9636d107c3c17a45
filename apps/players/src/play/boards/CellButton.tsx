import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Chip } from '../chips/Chip.tsx';
import { costOf } from '../slip/slipSums.ts';
import { GridCell } from './BoardGrid.tsx';
import styles from './CellButton.module.css';
import { playTexts } from '../playTexts.ts';

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
