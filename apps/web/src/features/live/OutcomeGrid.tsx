import type { Panel } from '@drawhouse/contract/live';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { isSwitchedOff } from '../../lib/singleKeys.ts';
import { arrowTarget, NO_TYPING, typeDigit } from './gridKeys.ts';
import { OutcomeTile } from './OutcomeTile.tsx';
import { gridColumns, panelOrder, resultOf } from './panelMath.ts';
import classes from './OutcomeGrid.module.css';

interface OutcomeGridProps {
  panel: Panel;
  booster: number;
  selected: string | null;
  /** Nothing can be chosen for this draw. */
  disabled: boolean;
  /** Nothing can be chosen, or the figures are not fresh: the grid steps back. */
  dimmed: boolean;
  /** A phone's width. */
  narrow: boolean;
  onSelect: (drawno: string | null) => void;
}

/** Digits typed there are meant for what is typed into. */
const TYPED_INTO = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

function tilesOf(grid: HTMLElement | null): HTMLButtonElement[] {
  return [...(grid?.querySelectorAll<HTMLButtonElement>('[data-drawno]') ?? [])];
}

/**
 * The outcomes as toggle buttons. One of them is reached by Tab, the arrow keys lead to the others; typed digits choose the outcome
 * that they name, wherever on the page the focus is but in a field or a dialog, unless single keys are switched off.
 */
export function OutcomeGrid({ panel, booster, selected, disabled, dimmed, narrow, onSelect }: OutcomeGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const typing = useRef(NO_TYPING);
  const [focused, setFocused] = useState<string | null>(null);
  const rows = useMemo(() => panelOrder(panel.gameId, panel.data), [panel.gameId, panel.data]);
  const reachable = [focused, selected].find((drawno) => rows.some((row) => row.drawno === drawno)) ?? rows[0]?.drawno;
  const columns = gridColumns(rows.length);
  const result = resultOf(panel);
  const drawn = result && 'drawno' in result.result ? result.result.drawno : null;

  const toggle = useCallback((drawno: string) => onSelect(drawno === selected ? null : drawno), [onSelect, selected]);

  const drawnos = rows.map((row) => row.drawno).join(' ');
  useEffect(() => {
    if (disabled) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!/^\d$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isSwitchedOff(event)) return;
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return;
      const typed = typeDigit(typing.current, event.key, event.timeStamp, drawnos.split(' '));
      typing.current = typed.typing;
      if (typed.drawno === null) return;
      onSelect(typed.drawno);
      setFocused(typed.drawno);
      tilesOf(grid.current)
        .find((tile) => tile.dataset['drawno'] === typed.drawno)
        ?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [disabled, drawnos, onSelect]);

  function moveFocus(event: KeyboardEvent) {
    const all = tilesOf(grid.current);
    const index = all.findIndex((tile) => tile === document.activeElement);
    if (index < 0) return;
    const inFirstRow = all.filter((tile) => tile.offsetTop === all[0]?.offsetTop).length;
    const target = arrowTarget(event.key, index, all.length, inFirstRow);
    if (target === null) return;
    event.preventDefault();
    all[target]?.focus();
  }

  const style =
    columns && ({ '--wide': columns.wide, '--middle': columns.middle, '--narrow': columns.narrow } as CSSProperties);
  return (
    <div
      ref={grid}
      className={classes.grid}
      role="toolbar"
      tabIndex={-1}
      aria-label="Outcomes"
      data-columns={columns ? columns.narrow : undefined}
      data-side={(narrow ? columns?.narrow === 2 : columns?.wide === 4) || undefined}
      data-dimmed={dimmed || undefined}
      style={style ?? undefined}
      onKeyDown={moveFocus}
    >
      {rows.map((row) => {
        const isResult = drawn === row.drawno;
        const isSelected = row.drawno === selected;
        return (
          <OutcomeTile
            key={row.drawno}
            gameId={panel.gameId}
            family={panel.family}
            drawno={row.drawno}
            label={row.label}
            color={row.color}
            image={row.image}
            sum={row.sum}
            pays={row.pays}
            // What is saved pays with the booster that it was saved with.
            booster={result && isResult && !isSelected ? result.booster : booster}
            collection={panel.totalsumdata}
            scope={panel.draw?._id ?? ''}
            selected={isSelected}
            sealed={isResult}
            disabled={disabled}
            reachable={row.drawno === reachable}
            onToggle={toggle}
            onFocus={setFocused}
          />
        );
      })}
    </div>
  );
}
