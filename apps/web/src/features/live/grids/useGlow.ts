import type { PanelRow } from '@drawhouse/contract/live/live';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

const GLOW_MS = 300;
/** In steps it fades as well, and the page is painted a few times instead of with each frame. */
const STEPS = 'steps(3, jump-none)';
/** So many glow at a time at most, those that changed most: where everything glows, nothing is told, and the page is slow. */
const AT_A_TIME = 16;

/** Numbers that stand together: the key that their cells lie under, and the indexes of their rows as they are shown. */
interface CellSection {
  key: string;
  indexes: readonly number[];
}

/**
 * Lets the cells in sight glow whose sum has changed, without rendering them. What changes with the draw, which is the `scope`, does
 * not glow; nor does anything for people who want no motion.
 */
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
        const [was, is] = [before.rows[index], rows[index]];
        const cell = cells?.[nth];
        if (cell && was && is && was.sum !== is.sum) changes.push({ cell, by: Math.abs(is.sum - was.sum) });
      }
    }
    for (const { cell } of changes.toSorted((a, b) => b.by - a.by).slice(0, AT_A_TIME))
      // From the glow to whatever colour the cell has by then.
      cell.animate([{ offset: 0, backgroundColor: 'var(--dh-glow)' }], { duration: GLOW_MS, easing: STEPS });
  }, [grid, rows, scope, inSight]);
}
