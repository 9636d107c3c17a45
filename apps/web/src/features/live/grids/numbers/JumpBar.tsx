import type { PanelRow } from '@drawhouse/contract/live/live';
import type { CSSProperties } from 'react';
import { stepsOf, weightOf } from './numbersMath.ts';
import type { Figure, LabelSection } from './numbersMath.ts';
import { LABELS } from './numbersTexts.ts';
import classes from './NumbersGrid.module.css';

interface JumpBarProps {
  sections: readonly LabelSection[];
  rows: readonly PanelRow[];
  figure: Figure;
  scale: number;
  /** The key of the section that is looked at. */
  current: string | undefined;
  /** The place of the number that is chosen. */
  chosen: number | undefined;
  onJump: (key: string) => void;
}

/** Leads to each section, and shows where the money lies: each bar is as long as the longest in its section. */
export function JumpBar({ sections, rows, figure, scale, current, chosen, onJump }: JumpBarProps) {
  return (
    <nav className={classes.jumps} aria-label="Sections">
      {sections.map(({ key, title, short, places }) => {
        const largest = Math.max(...places.map((place) => (rows[place] ? weightOf(rows[place], figure) : 0)));
        const hasChosen = chosen !== undefined && places.includes(chosen);
        return (
          <button
            key={key}
            type="button"
            className={classes.jump}
            style={{ '--steps': stepsOf(largest, scale) } as CSSProperties}
            aria-label={`${LABELS.hundreds} ${title}${hasChosen ? `, ${LABELS.chosen}` : ''}`}
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
