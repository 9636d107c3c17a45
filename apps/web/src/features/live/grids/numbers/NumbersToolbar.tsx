import type { PointerEvent, ReactNode, RefObject, SyntheticEvent } from 'react';
import { moveFocus, drawnoOf } from '../gridKeys.ts';
import type { KeyTarget, FocusTools } from '../gridKeys.ts';

interface NumbersToolbarProps {
  ref: RefObject<HTMLDivElement | null>;
  className: string | undefined;
  label: string;
  dimmed: boolean;
  focus: FocusTools;
  targetOf: KeyTarget;
  onClick: (drawno: string) => void;
  children: ReactNode;
}

/** One tab stop: keys move among the numbers, and a click or hover selects one for the detail. */
export function NumbersToolbar(props: NumbersToolbarProps) {
  const { ref, className, label, dimmed, focus: look, targetOf, onClick, children } = props;

  function click(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno === null) return;
    look.setCurrent(drawno);
    onClick(drawno);
  }

  function focus(event: SyntheticEvent) {
    const drawno = drawnoOf(event);
    if (drawno !== null) look.setCurrent(drawno);
  }

  return (
    <div
      ref={ref}
      className={className}
      role="toolbar"
      tabIndex={-1}
      aria-label={label}
      data-dimmed={dimmed || undefined}
      onClick={click}
      onFocus={focus}
      onPointerOver={(event: PointerEvent) => event.pointerType === 'mouse' && look.setHovered(drawnoOf(event))}
      onPointerLeave={() => look.setHovered(null)}
      onKeyDown={(event) => moveFocus(event, targetOf)}
    >
      {children}
    </div>
  );
}
