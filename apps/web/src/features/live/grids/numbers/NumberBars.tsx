import type { PanelRow } from '@drawhouse/contract/live/live';
import { Button, NativeSelect } from '@mantine/core';
import { richText } from '@drawhouse/session/rich-text';
import { useEffect, useState, type CSSProperties, type RefObject } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { consequence } from '../../panel/panelMath.ts';
import { FigureChoice, FindField } from '../FindField.tsx';
import { gridTexts, numberTexts } from '../gridTexts.ts';
import type { Order, Extremes, NumberSection } from './numberMath.ts';
import classes from './NumberGrid.module.css';
import { stepsOf, weightOf, type Figure } from './cellFigures.ts';

interface NumberBarProps {
  figure: Figure;
  onFigure: (figure: Figure) => void;
  order: Order;
  /** Null in numeric order. */
  rankedAt: string | null;
  onOrder: (order: Order) => void;
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

export function NumberBar({ figure, onFigure, order, rankedAt, onOrder, drawnos, onFind, onTake }: NumberBarProps) {
  return (
    <div className={classes.bar}>
      <FigureChoice figure={figure} onFigure={onFigure} />
      <NativeSelect
        size="xs"
        aria-label={numberTexts.order}
        data={Object.entries(numberTexts.orders).map(([value, label]) => ({ value, label }))}
        value={order}
        onChange={(event) => onOrder(event.currentTarget.value as Order)}
      />
      {rankedAt !== null && (
        <Button size="xs" variant="default" onClick={() => onOrder(order)}>
          {numberTexts.rankAgain}
          <span className={classes.rankedAt}>{rankedAt}</span>
        </Button>
      )}
      <FindField drawnos={drawnos} onFind={onFind} onTake={onTake} />
    </div>
  );
}

interface StandingLineProps {
  rows: readonly PanelRow[];
  extremes: Extremes;
  booster: number;
  collection: number;
  onFind: (drawno: string) => void;
}

export function ExtremesLine({ rows, extremes, booster, collection, onFind }: StandingLineProps) {
  if (extremes.largest.pays === 0) return <p className={classes.standing}>{numberTexts.noStakes}</p>;
  const { ends } = numberTexts;
  const both = [
    { label: ends.dearest, row: rows[extremes.dearest]! },
    { label: ends.cheapest, row: rows[extremes.cheapest]! },
  ];
  return (
    <p className={classes.standing}>
      {both.map(({ label, row }) => {
        const { leaves } = consequence(row, booster, collection);
        return (
          <span key={label}>
            {richText(label, {
              number: (
                <button type="button" className={classes.end} onClick={() => onFind(row.drawno)}>
                  {row.label}
                </button>
              ),
              net: <span data-sign={leaves < 0 ? 'loss' : 'gain'}>{formatPoints(leaves)}</span>,
            })}
          </span>
        );
      })}
      <span>{gridTexts.makeLoss(extremes.losses)}</span>
    </p>
  );
}

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
