import type { PanelRow } from '@drawhouse/contract/live/live';
import { useEffect, useRef, type RefObject } from 'react';

const GLOW_MS = 300;
/** Few steps instead of a repaint per frame. */
const STEPS = 'steps(3, jump-none)';
/** More glows at a time are slow and say nothing. */
const AT_A_TIME = 16;

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
        if (cell && oldRow && newRow && oldRow.sum !== newRow.sum)
          changes.push({ cell, by: Math.abs(newRow.sum - oldRow.sum) });
      }
    }
    for (const { cell } of changes.toSorted((a, b) => b.by - a.by).slice(0, AT_A_TIME))
      cell.animate([{ offset: 0, backgroundColor: 'var(--dh-glow)' }], { duration: GLOW_MS, easing: STEPS });
  }, [grid, rows, scope, inSight]);
}
