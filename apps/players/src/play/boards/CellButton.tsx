import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Chip } from '../chips/Chip.tsx';
import { GridCell } from './BoardGrid.tsx';
import styles from './CellButton.module.css';
import { playTexts } from '../playTexts.ts';

interface CellButtonProps {
  cell: string;
  name: string;
  units: number;
  points: number;
  look?: string | undefined;
  style?: CSSProperties | undefined;
  className?: string | undefined;
  onTouch: (cell: string) => void;
  children: ReactNode;
}

export const CellButton = memo(function CellButton(props: CellButtonProps) {
  const { cell, name, units, points, look, style, className = '', onTouch, children } = props;
  const said = units > 0 ? playTexts.board.onSlip(name, points) : name;
  return (
    <GridCell className={`${styles.cell} ${className}`} style={style}>
      <button
        type="button"
        className={styles.button}
        data-cell={cell}
        data-look={look}
        data-bet={units > 0 || undefined}
        tabIndex={-1}
        aria-label={said}
        onClick={() => onTouch(cell)}
      >
        {children}
      </button>
      {/* Outside the button, whose name already includes it. */}
      {units > 0 && (
        <span className={styles.stack}>
          <Chip points={points} units={units} size={25} />
        </span>
      )}
    </GridCell>
  );
});
