import type { PanelRow } from '@drawhouse/contract/live/live';
import type { CSSProperties, RefObject } from 'react';
import { stepsOf, weightOf } from './cellFigures.ts';
import type { Figure } from './cellFigures.ts';
import type { NumberSection } from './numberMath.ts';
import { gridTexts, numberTexts } from '../gridTexts.ts';
import classes from './NumberGrid.module.css';
import { useEffect, useState } from 'react';

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
    <nav className={classes.jumps} aria-label={gridTexts.sections}>
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

/** Height of the sticky page header, in pixels. */
const COVERED = 130;

/** Returns keys from top to bottom. `keys`: all sections, separated by spaces. */
export function useInSight(grid: RefObject<HTMLElement | null>, keys: string): readonly string[] {
  const [inSight, setInSight] = useState<readonly string[]>([]);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const key = (target as HTMLElement).dataset['section']!;
          if (isIntersecting) seen.add(key);
          else seen.delete(key);
        }
        setInSight(keys.split(' ').filter((key) => seen.has(key)));
      },
      { rootMargin: `-${COVERED}px 0px 0px` },
    );
    for (const section of grid.current?.querySelectorAll('[data-section]') ?? []) observer.observe(section);
    return () => observer.disconnect();
  }, [grid, keys]);
  return inSight;
}
