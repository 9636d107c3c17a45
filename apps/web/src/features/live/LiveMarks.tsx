import type { DrawResult, ResultData } from '@drawhouse/contract/draws/draws';
import type { Panel, PanelRow } from '@drawhouse/contract/live/live';
import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import { type DisplayOutcome, drawnOutcome } from '@drawhouse/rules/panel/shown-result';
import { type RefObject, useEffect, useRef, useState } from 'react';
import classes from './LiveMarks.module.css';
import { formatDateTime } from '../../lib/format/format.ts';
import { resultTexts } from './liveTexts.ts';
import { OutcomePicture, pictureFor } from '../../ui/pictures/OutcomePicture.ts';

/** Glows behind a changed sum, unless `scope` changed too. Needs an isolated stacking context. */
export function Glow({ sum, scope }: { sum: number; scope: string }) {
  const changes = useChanges(sum, scope);
  return changes > 0 && <span key={changes} className={classes.glow} aria-hidden />;
}

/** Counts during render, so a change shows in its own frame. */
export function useChanges(value: number, scope: string): number {
  const [seen, setSeen] = useState({ value, scope, changes: 0 });
  if (seen.scope !== scope) setSeen({ value, scope, changes: 0 });
  else if (seen.value !== value) setSeen({ value, scope, changes: seen.changes + 1 });
  return seen.changes;
}

export function SourceSign({ source, outside = null }: Pick<DrawResult, 'source'> & { outside?: string | null }) {
  return (
    <span className={classes.sign} data-source={source} title={outside ?? undefined} aria-hidden>
      {outside === null ? (source === 'declared' ? 'D' : 'G') : 'O'}
    </span>
  );
}

/** `declared`, or `result of National 19:00`. */
export function sourceWord({ source, outside, correctedAt }: Sourced): string {
  if (outside === null) return source;
  return correctedAt === null ? resultTexts.outsideWord(outside) : resultTexts.correctedWord(outside);
}

type Sourced = Pick<DrawResult, 'source' | 'outside' | 'correctedAt'>;

/** `Declared by a person`, or `Result of National 19:00, corrected at 19:20`. */
export function sourceText({ source, outside, correctedAt }: Sourced): string {
  if (outside === null) return resultTexts.source[source];
  return correctedAt === null
    ? resultTexts.outside(outside)
    : resultTexts.corrected(outside, formatDateTime(correctedAt));
}

export interface ShownGame extends Pick<Panel, 'gameId' | 'family' | 'digits'> {
  readonly data: readonly DisplayOutcome[];
  readonly dataCardTypes: readonly DisplayOutcome[];
}

/** Null if text says as much. */
export function resultPicture(panel: ShownGame, result: ResultData): Depicted | null {
  const outcome = drawnOutcome(panel, result);
  return outcome && pictureFor(panel, outcome);
}

interface ResultPictureProps {
  panel: Panel;
  result: ResultData;
  size: number;
}

export function ResultPicture({ panel, result, size }: ResultPictureProps) {
  const picture = resultPicture(panel, result);
  return picture && <OutcomePicture {...picture} size={size} />;
}

const GLOW_MS = 300;
/** Few steps instead of a repaint per frame. */
const STEPS = 'steps(3, jump-none)';
/** More glows at a time are slow and say nothing. */
const AT_A_TIME = 16;

/** White text of a chosen cell would vanish on the glow. */
const INVERTED = '[aria-pressed="true"], [data-sealed]';

interface CellSection {
  key: string;
  indexes: readonly number[];
}

/** Animates without rendering. Changes of `scope`, the draw, do not glow. Respects reduced motion. */
export function useGlow(
  grid: RefObject<HTMLElement | null>,
  { rows, scope, inSight }: { rows: readonly PanelRow[]; scope: string; inSight: readonly CellSection[] },
): void {
  const last = useRef({ rows, scope });
  useEffect(() => {
    const before = last.current;
    last.current = { rows, scope };
    if (before.rows === rows || before.scope !== scope) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const changes: { cell: Element; by: number }[] = [];
    for (const { key, indexes } of inSight) {
      const cells = grid.current?.querySelector(`[data-section="${key}"] [data-cells]`)?.children;
      for (const [nth, index] of indexes.entries()) {
        const [oldRow, newRow] = [before.rows[index], rows[index]];
        const cell = cells?.[nth];
        if (cell && !cell.matches(INVERTED) && oldRow && newRow && oldRow.sum !== newRow.sum)
          changes.push({ cell, by: Math.abs(newRow.sum - oldRow.sum) });
      }
    }
    for (const { cell } of changes.toSorted((a, b) => b.by - a.by).slice(0, AT_A_TIME))
      cell.animate([{ offset: 0, backgroundColor: 'var(--dh-glow)' }], { duration: GLOW_MS, easing: STEPS });
  }, [grid, rows, scope, inSight]);
}
