import { useEffect, useRef } from 'react';
import { isSwitchedOff } from '../../../lib/singleKeys.ts';
import { NO_TYPING, typeDigit } from './gridKeys.ts';

/** Digits typed there are meant for what is typed into. */
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

/**
 * Typed digits choose the outcome that they name, wherever on the page the focus is but in a field or a dialog, unless single keys are
 * switched off. `drawnos` are those of the grid, joined by spaces.
 */
export function useGridKeys(drawnos: string, disabled: boolean, onTyped: (drawno: string) => void): void {
  const typing = useRef(NO_TYPING);
  useEffect(() => {
    if (disabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (!/^\d$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isSwitchedOff(event)) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return;
      const typed = typeDigit(typing.current, event.key, event.timeStamp, drawnos.split(' '));
      typing.current = typed.typing;
      if (typed.drawno !== null) onTyped(typed.drawno);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [disabled, drawnos, onTyped]);
}
