import { useCallback, useRef, useState, type CSSProperties } from 'react';
import type { PanelSection } from '@drawhouse/rules/panel/layout';
import { gridFormat } from '../../liveFormat.ts';
import { consequence, isUncovered, payableOf } from '../../panel/panelMath.ts';
import { boosterOf, sectionRows, type GridProps } from '../grid.ts';
import { arrowTarget, moveFocus, targetByPosition, useGridKeys, type KeyTarget } from '../gridKeys.ts';
import { OutcomeTile } from './OutcomeTile.tsx';
import classes from './TileGrid.module.css';
import { gridTexts } from '../gridTexts.ts';

/** Columns by row length of the layout; by default as many as fit. */
const COLUMNS = new Map([
  [2, { wide: 4, middle: 4, narrow: 2 }],
  [4, { wide: 4, middle: 4, narrow: 4 }],
  [5, { wide: 5, middle: 5, narrow: 2 }],
  [6, { wide: 6, middle: 4, narrow: 3 }],
  [7, { wide: 7, middle: 4, narrow: 3 }],
  [8, { wide: 8, middle: 4, narrow: 3 }],
]);
const MOST_IN_SMALL = 12;
/** A single tile separates the rows around it, so their columns cover part of the width. */
const HALVES = new Map([[6, { wide: 6, middle: 3, narrow: 3 }]]);

/** One tab stop per section. Typed digits choose in the first. */
export function TileGrid(props: GridProps) {
  const { panel, layout, selection, disabled, onToggle } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [typed] = layout.sections;
  const typable = typed ? sectionRows(panel, typed).flat() : [];

  const onTyped = useCallback(
    (drawno: string) => {
      if (!typed) return;
      if (selection[typed.slot] !== drawno) onToggle(typed.slot, drawno);
      grid.current?.querySelector<HTMLElement>(`[data-slot="${typed.slot}"] [data-drawno="${drawno}"]`)?.focus();
    },
    [typed, selection, onToggle],
  );
  useGridKeys(typable.map(({ drawno }) => drawno).join(' '), disabled, onTyped);

  const isOfParts = layout.sections.length > 1;
  return (
    <div ref={grid} className={classes.sections} data-parts={isOfParts || undefined}>
      {layout.sections.map((section) => (
        <TileSection key={section.key} section={section} isPart={isOfParts} {...props} />
      ))}
    </div>
  );
}

const targetOf: KeyTarget = (key, index, tiles) =>
  targetByPosition(key, index, tiles) ?? arrowTarget(key, index, tiles.length, tiles.length);

interface TileSectionProps extends GridProps {
  section: PanelSection;
  /** Sections of one row stand side by side. */
  isPart: boolean;
}

function TileSection({ section, isPart, ...props }: TileSectionProps) {
  const { panel, selection, result, booster, disabled, dimmed, narrow, onToggle } = props;
  const { slot, title } = section;
  const [focused, setFocused] = useState<string | null>(null);
  const payable = payableOf(panel);
  const rows = sectionRows(panel, section);
  const tiles = rows.flat();
  const selected = selection[slot];
  const drawn = result?.selection[slot];
  const reachable =
    [focused, selected].find((drawno) => tiles.some((tile) => tile.drawno === drawno)) ?? tiles[0]?.drawno;
  const wide = rows[0]?.length ?? 0;
  const alone = new Set(rows.slice(0, -1).flatMap((row) => (row.length === 1 && wide > 1 ? row[0]!.drawno : [])));
  const isHorizontal = isPart && rows.length === 1;
  const columns = isHorizontal ? { wide, middle: 4, narrow: 2 } : (alone.size > 0 ? HALVES : COLUMNS).get(wide);

  const amounts = tiles.flatMap((row) => {
    const { pays, leaves } = consequence(
      row,
      boosterOf({ selection, result, booster }, slot, row.drawno),
      panel.totalsumdata,
    );
    return [row.sum, pays, leaves];
  });
  const most = narrow && columns?.narrow === 4 ? MOST_IN_SMALL : Infinity;
  const format = gridFormat(amounts, (text) => text.length <= most);

  const toggle = useCallback((drawno: string) => onToggle(slot, drawno), [onToggle, slot]);

  const style =
    columns && ({ '--wide': columns.wide, '--middle': columns.middle, '--narrow': columns.narrow } as CSSProperties);
  return (
    <section data-slot={slot} style={{ '--beside': isHorizontal ? wide : undefined } as CSSProperties}>
      {title !== '' && <h2 className={classes.title}>{title}</h2>}
      <div
        className={classes.grid}
        role="toolbar"
        tabIndex={-1}
        aria-label={title === '' ? gridTexts.outcomes : title}
        data-columns={columns?.narrow}
        data-side={(narrow ? columns?.narrow === 2 : columns?.wide === 4 && !isHorizontal) || undefined}
        data-dimmed={dimmed || undefined}
        style={style}
        onKeyDown={(event) => moveFocus(event, targetOf)}
      >
        {tiles.map((row) => {
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
              booster={boosterOf({ selection, result, booster }, slot, row.drawno)}
              collection={panel.totalsumdata}
              uncovered={isUncovered(row, boosterOf({ selection, result, booster }, slot, row.drawno), payable)}
              scope={panel.draw?._id ?? ''}
              selected={row.drawno === selected}
              sealed={row.drawno === drawn}
              alone={alone.has(row.drawno)}
              disabled={disabled}
              format={format}
              reachable={row.drawno === reachable}
              onToggle={toggle}
              onFocus={setFocused}
            />
          );
        })}
      </div>
    </section>
  );
}
