import type { PanelRow } from '@drawhouse/contract/live/live';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type CSSProperties, useCallback, useMemo, useRef, useState } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { useDigitWidth, useWidth } from '../../../../ui/useWidth.ts';
import { isUncovered } from '../../panel/panelMath.ts';
import { boosterOf, type GridProps } from '../grid.ts';
import parts from '../gridParts.module.css';
import { moveFocus, targetByPosition, useGridKeys } from '../gridKeys.ts';
import { headFigures } from '../numbers/numberMath.ts';
import { ColorSign, figuresOf, signOf, WheelCell, wheelFormat } from './WheelCell.tsx';
import { wheelLayout, wheelPlaces } from './wheelLayout.ts';
import { wheelTexts } from '../gridTexts.ts';
import classes from './WheelGrid.module.css';

const NAME_PX = 46;

export function WheelGrid(props: GridProps) {
  const { panel, layout, selection, result, payable, disabled, dimmed, narrow, onToggle } = props;
  const { slot, rows } = layout.sections[0]!;
  const table = useRef<HTMLDivElement>(null);
  const { ref, width } = useWidth();

  const columns = (rows[1]?.length ?? 0) + 1;
  const { upright, widthPx, detail } = wheelLayout(width, columns, narrow);
  const places = useMemo(() => wheelPlaces(rows, upright), [rows, upright]);

  const chosen = selection[slot];
  const drawn = result?.selection[slot];
  const { reachable, shown, setFocused, setPointed } = useShownRow(panel, chosen, drawn);

  const digit = useDigitWidth();
  const amounts = panel.data.flatMap((row) => {
    const { sum, pays, leaves } = figuresOf(row, boosterOf(props, slot, row.drawno), panel.totalsumdata);
    return [sum, pays, leaves];
  });
  const format = wheelFormat(amounts, detail === 'names' ? widthPx - NAME_PX : widthPx, digit);

  const toggle = useCallback((drawno: string) => onToggle(slot, drawno), [onToggle, slot]);
  const onTyped = useCallback(
    (drawno: string) => {
      if (chosen !== drawno) onToggle(slot, drawno);
      table.current?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`)?.focus();
    },
    [chosen, slot, onToggle],
  );
  useGridKeys(panel.data.map(({ drawno }) => drawno).join(' '), disabled, onTyped);

  return (
    <div ref={ref} className={classes.wheel}>
      <p className={classes.legend}>{wheelTexts.legend[detail]}</p>
      <div
        ref={table}
        className={classes.table}
        role="toolbar"
        tabIndex={-1}
        aria-label={wheelTexts.outcomes}
        data-slot={slot}
        data-upright={upright || undefined}
        data-dimmed={dimmed || undefined}
        style={{ '--length-of-table': columns, '--shares': rows[0]?.length ?? 1 } as CSSProperties}
        onKeyDown={(event) => moveFocus(event, targetByPosition)}
        onBlur={({ currentTarget, relatedTarget }) => {
          // Keeps the number while its kinds are opened.
          if (!currentTarget.parentElement?.contains(relatedTarget)) setFocused(null);
        }}
      >
        {panel.data.map((row, index) => (
          <WheelCell
            key={row.drawno}
            drawno={row.drawno}
            color={row.color}
            sum={row.sum}
            pays={row.pays}
            booster={boosterOf(props, slot, row.drawno)}
            collection={panel.totalsumdata}
            uncovered={isUncovered(row, boosterOf(props, slot, row.drawno), payable)}
            scope={panel.draw?._id ?? ''}
            place={places.get(index)!}
            format={format}
            detail={detail}
            selected={row.drawno === chosen}
            sealed={row.drawno === drawn}
            disabled={disabled}
            reachable={row === reachable}
            onToggle={toggle}
            onFocus={setFocused}
            onPoint={setPointed}
          />
        ))}
      </div>
      <Detail {...props} row={shown} booster={shown ? boosterOf(props, slot, shown.drawno) : 1} />
    </div>
  );
}

/** Shows the row under the pointer, else the focused, the chosen or the drawn one. */
function useShownRow({ data }: Pick<GridProps['panel'], 'data'>, chosen: Drawno, drawn: Drawno) {
  const [focused, setFocused] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const rowOf = (drawno: Drawno) => data.find((row) => row.drawno === drawno);
  const reachable = rowOf(focused) ?? rowOf(chosen) ?? data[0];
  const shown = rowOf(pointed) ?? rowOf(focused) ?? rowOf(chosen) ?? rowOf(drawn);
  return { reachable, shown, setFocused, setPointed };
}

type Drawno = string | null | undefined;

interface DetailProps extends Pick<GridProps, 'panel' | 'rules' | 'booster'> {
  row: PanelRow | undefined;
}

function Detail({ panel, rules, row, booster }: DetailProps) {
  const [open, setOpen] = useState(false);
  if (!row)
    return (
      <div className={`${parts.line} ${classes.detail}`} data-empty>
        {wheelTexts.detailHint}
      </div>
    );
  const { sum, percent, pays, leaves } = figuresOf(row, booster, panel.totalsumdata);
  return (
    <div className={`${parts.line} ${classes.detail}`}>
      <span className={classes.figures} aria-hidden>
        <span className={classes.detailNumber} data-color={row.color ?? undefined}>
          {row.drawno}
          <ColorSign color={row.color} />
        </span>
        <span>
          {wheelTexts.staked} <strong>{formatPoints(sum)}</strong> <span className={classes.percent}>{percent}</span>
        </span>
        <span>
          {wheelTexts.pays} <strong>{formatPoints(pays)}</strong>
        </span>
        <span>
          {wheelTexts.leaves} <strong data-sign={signOf(leaves)}>{formatPoints(leaves)}</strong>
        </span>
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        className={classes.more}
        aria-expanded={open}
        aria-label={wheelTexts.kinds(row.drawno)}
        onClick={() => setOpen(!open)}
      >
        {open ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
      </ActionIcon>
      {open && (
        <ul className={classes.kinds}>
          {headFigures(rules, rules.outcomes[panel.data.indexOf(row)]!, panel.stakes).map((kind) => (
            <li key={kind.name}>
              <span>{kind.label}</span>
              <span>{`${formatPoints(kind.sum)} × ${kind.ratio}`}</span>
              <strong>{formatPoints(kind.pays)}</strong>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
