import type { PanelRow } from '@drawhouse/contract/live/live';
import type { CSSProperties } from 'react';
import { stepsOf, weightOf } from '../cellFigures.ts';
import type { Figure } from '../cellFigures.ts';
import type { NumberSection } from './numberMath.ts';
import { numberTexts } from './numberTexts.ts';
import classes from './NumberGrid.module.css';

interface JumpBarProps {
  sections: readonly NumberSection[];
  rows: readonly PanelRow[];
  figure: Figure;
  scale: number;
  current: string | undefined;
  chosen: number | undefined;
  onJump: (key: string) => void;
}

export function JumpBar({ sections, rows, figure, scale, current, chosen, onJump }: JumpBarProps) {
  return (
    <nav className={classes.jumps} aria-label="Sections">
      {sections.map(({ key, title, short, indexes }) => {
        const largest = Math.max(...indexes.map((index) => (rows[index] ? weightOf(rows[index], figure) : 0)));
        const hasChosen = chosen !== undefined && indexes.includes(chosen);
        return (
          <button
            key={key}
            type="button"
            className={classes.jump}
            style={{ '--steps': stepsOf(largest, scale) } as CSSProperties}
            aria-label={`${numberTexts.hundreds} ${title}${hasChosen ? `, ${numberTexts.chosen}` : ''}`}
            aria-current={key === current || undefined}
            data-chosen={hasChosen || undefined}
            onClick={() => onJump(key)}
          >
            {short}
          </button>
        );
      })}
    </nav>
  );
}
