import {
  useState,
  useEffect,
  useEffectEvent,
  useRef,
  type KeyboardEvent as ReactKeyboardEvent,
  type SyntheticEvent,
} from 'react';
import { isSwitchedOff } from '../../../lib/devicePreferences.ts';

/** Later digits start a new number. */
export const TYPING_MS = 800;

/** Finds the target in a row-major grid; null if none. */
export function arrowTarget(key: string, index: number, count: number, columns: number): number | null {
  const target = (() => {
    switch (key) {
      case 'ArrowLeft':
        return index - 1;
      case 'ArrowRight':
        return index + 1;
      case 'ArrowUp':
        return index - columns;
      case 'ArrowDown':
        return index + columns;
      case 'Home':
        return 0;
      case 'End':
        return count - 1;
      default:
        return null;
    }
  })();
  return target === null || target < 0 || target >= count || target === index ? null : target;
}

/** Lengths in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const ARROWS: Readonly<Record<string, { horizontal: boolean; sign: 1 | -1 }>> = {
  ArrowLeft: { horizontal: true, sign: -1 },
  ArrowRight: { horizontal: true, sign: 1 },
  ArrowUp: { horizontal: false, sign: -1 },
  ArrowDown: { horizontal: false, sign: 1 },
};

/**
 * Finds the target among freely placed outcomes: the nearest straight ahead, or vertically the nearest in the next row.
 * Home and End lead to the ends.
 */
export function arrowTargetAmong(key: string, index: number, boxes: readonly Box[]): number | null {
  const arrow = ARROWS[key];
  const from = boxes[index];
  if (!arrow || !from) return arrowTarget(key, index, boxes.length, 1);
  const { horizontal, sign } = arrow;
  const middle = ({ left, top, width, height }: Box, across: boolean): number =>
    across === horizontal ? top + height / 2 : left + width / 2;
  const [start, size] = horizontal ? (['top', 'height'] as const) : (['left', 'width'] as const);
  const ahead = boxes.flatMap((box, at) => {
    const distance = sign * (middle(box, false) - middle(from, false));
    const reach = (horizontal ? box.width + from.width : box.height + from.height) / 2;
    // Boxes of one row overlap in this direction.
    if (distance < reach / 2) return [];
    const isStraight = box[start] < from[start] + from[size] - 1 && from[start] < box[start] + box[size] - 1;
    return [{ at, isStraight, distance, aside: Math.abs(middle(box, true) - middle(from, true)) }];
  });
  const straight = ahead.filter(({ isStraight }) => isStraight);
  const [nearest] = (straight.length > 0 || horizontal ? straight : ahead).toSorted(
    (a, b) => a.distance - b.distance || a.aside - b.aside,
  );
  return nearest?.at ?? null;
}

export interface Typing {
  text: string;
  at: number;
}

export const NO_TYPING: Typing = { text: '', at: 0 };

/** Appends a digit while some outcome starts with the result, else starts over. `drawno`: the exact match. */
export function typeDigit(
  typing: Typing,
  digit: string,
  now: number,
  drawnos: readonly string[],
): { typing: Typing; drawno: string | null } {
  const before = now - typing.at <= TYPING_MS ? typing.text : '';
  const longer = before + digit;
  const text = drawnos.some((drawno) => drawno.startsWith(longer)) ? longer : digit;
  return { typing: { text, at: now }, drawno: drawnos.find((drawno) => drawno === text) ?? null };
}

interface RowCounts {
  row: number;
  button: number;
}

/** Vertical arrows change rows, horizontal ones the button. */
export function rowTarget(
  key: string,
  at: RowCounts,
  count: RowCounts,
): { among: 'numbers' | 'buttons'; index: number } | null {
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const of = sideways ? 'button' : 'row';
  const index = arrowTarget(key, at[of], count[of], 1);
  return index === null ? null : { among: sideways ? 'buttons' : 'numbers', index };
}

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

const TYPED_INTO =
  'input:not([readonly]), textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

/** False for combinations, in fields and dialogs, and while single keys are off. */
function isPanelKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return !isSwitchedOff(event) && !(event.target instanceof Element && event.target.closest(TYPED_INTO));
}

export function usePanelKey(letter: string, isOn: boolean, run: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== letter || !isPanelKey(event) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);
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
