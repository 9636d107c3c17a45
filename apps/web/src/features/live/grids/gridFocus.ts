import type { KeyboardEvent as ReactKeyboardEvent, SyntheticEvent } from 'react';
import { arrowTargetAmong, NO_TYPING, typeDigit } from './gridKeys.ts';
import { useState, useEffect, useRef } from 'react';
import { isSwitchedOff } from '../../../lib/devicePreferences.ts';

/** Target index; null if none. */
export type KeyTarget = (key: string, index: number, cells: readonly HTMLElement[]) => number | null;

export function moveFocus(event: ReactKeyboardEvent<HTMLElement>, targetOf: KeyTarget): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-drawno]')];
  const index = cells.indexOf(document.activeElement as HTMLElement);
  const target = index < 0 ? null : targetOf(event.key, index, cells);
  if (target === null) return;
  event.preventDefault();
  cells[target]?.focus();
}

export const targetByPosition: KeyTarget = (key, index, cells) =>
  arrowTargetAmong(
    key,
    index,
    cells.map((cell) => cell.getBoundingClientRect()),
  );

/** Null outside the cells. */
export const drawnoOf = ({ target }: SyntheticEvent): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-drawno]')?.dataset['drawno'] ?? null) : null;

export interface FocusTools {
  current: string | null;
  setCurrent: (drawno: string) => void;
  hovered: string | null;
  setHovered: (drawno: string | null) => void;
}

export function useFocusedNumber(): FocusTools {
  const [current, setCurrent] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  return { current, setCurrent, hovered, setHovered };
}

const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

/** False for combinations, in fields and dialogs, and while single keys are off. */
export function isPanelKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return !isSwitchedOff(event) && !(event.target instanceof Element && event.target.closest(TYPED_INTO));
}

/** `drawnos` is separated by spaces. */
export function useGridKeys(drawnos: string, disabled: boolean, onTyped: (drawno: string) => void): void {
  const typing = useRef(NO_TYPING);
  useEffect(() => {
    if (disabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (!/^\d$/.test(event.key) || !isPanelKey(event)) return;
      const typed = typeDigit(typing.current, event.key, event.timeStamp, drawnos.split(' '));
      typing.current = typed.typing;
      if (typed.drawno !== null) onTyped(typed.drawno);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [disabled, drawnos, onTyped]);
}
