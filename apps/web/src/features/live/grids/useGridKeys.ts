import { useEffect, useRef } from 'react';
import { isSwitchedOff } from '../../../lib/singleKeys.ts';
import { NO_TYPING, typeDigit } from './gridKeys.ts';

const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

/**
 * Typed digits choose an outcome, except in fields and dialogs or if single keys are off. `drawnos` is separated by
 * spaces.
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
