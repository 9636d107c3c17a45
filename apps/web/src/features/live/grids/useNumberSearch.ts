import { sectionOfEach } from '@drawhouse/rules/panel/layout';
import { useCallback, useMemo } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { mayTake } from './grid.ts';
import type { GridProps } from './grid.ts';
import { useGridKeys } from './gridFocus.ts';

export interface NumberSearch {
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

/**
 * Searches by field, or by digits typed outside fields. With one visible section, `showSection` first switches to the
 * right one.
 */
export function useNumberSearch(
  gridRef: RefObject<HTMLElement | null>,
  { rules, layout, selection, disabled, onToggle }: GridProps,
  setCurrent: (drawno: string) => void,
  showSection?: (key: string) => void,
): NumberSearch {
  const sectionOf = useMemo(() => sectionOfEach(rules, layout), [rules, layout]);
  const drawnos = useMemo(() => [...sectionOf.keys()], [sectionOf]);
  const onFind = useCallback(
    (drawno: string) => {
      setCurrent(drawno);
      if (showSection) showSection(sectionOf.get(drawno)!.key);
      else cellIn(gridRef.current, drawno)?.scrollIntoView({ block: 'center' });
    },
    [gridRef, sectionOf, setCurrent, showSection],
  );
  const onTake = useCallback(
    (drawno: string) => {
      const { slot } = sectionOf.get(drawno)!;
      if (showSection) flushSync(() => onFind(drawno));
      if (mayTake({ selection, disabled }, slot, drawno)) onToggle(slot, drawno);
    },
    [sectionOf, showSection, onFind, selection, disabled, onToggle],
  );
  const onTyped = useCallback(
    (drawno: string) => {
      onTake(drawno);
      setCurrent(drawno);
      cellIn(gridRef.current, drawno)?.focus();
    },
    [gridRef, onTake, setCurrent],
  );
  useGridKeys(
    useMemo(() => drawnos.join(' '), [drawnos]),
    disabled,
    onTyped,
  );
  return { drawnos, onFind, onTake };
}

const cellIn = (grid: HTMLElement | null, drawno: string) =>
  grid?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`);
