import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { pointsText } from '../../lib/amounts.ts';
import { Chip } from '../chips/Chip.tsx';
import { GridCell } from './GridParts.tsx';
import styles from './CellButton.module.css';

interface CellButtonProps {
  /** The key of its bet, or the name of its group. */
  cell: string;
  /** What it is, to who hears it. */
  name: string;
  /** How many units are laid on it, and what they cost. */
  units: number;
  points: number;
  /** How it is painted. */
  look?: string | undefined;
  style?: CSSProperties | undefined;
  className?: string | undefined;
  onTouch: (cell: string) => void;
  children: ReactNode;
}

/** A place on the board with what is laid on it. */
export const CellButton = memo(function CellButton(props: CellButtonProps) {
  const { cell, name, units, points, look, style, className = '', onTouch, children } = props;
  const said = units > 0 ? `${name}, ${pointsText(points)} points laid` : name;
  return (
    <GridCell className={`${styles.cell} ${className}`} style={style}>
      <button
        type="button"
        className={styles.button}
        data-cell={cell}
        data-look={look}
        data-laid={units > 0 || undefined}
        tabIndex={-1}
        aria-label={said}
        onClick={() => onTouch(cell)}
      >
        {children}
      </button>
      {/* Beside the button: what it says is in the button's name. */}
      {units > 0 && (
        <span className={styles.laid}>
          <Chip points={points} units={units} size={25} />
        </span>
      )}
    </GridCell>
  );
});
