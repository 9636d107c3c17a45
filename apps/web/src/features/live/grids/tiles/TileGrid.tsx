import type { PanelSection } from '@drawhouse/rules/panel/layout';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { type CSSProperties, memo, useCallback, useRef, useState } from 'react';
import { gridFormat } from '../../liveFormat.ts';
import { consequence, isUncovered, share, shareText } from '../../panel/panelMath.ts';
import { boosterOf, type GridProps, sectionRows } from '../grid.ts';
import { arrowTarget, type KeyTarget, moveFocus, targetByPosition, useGridKeys } from '../gridKeys.ts';
import classes from './TileGrid.module.css';
import { gridTexts } from '../gridTexts.ts';
import { formatPoints } from '../../../../lib/format/format.ts';
import { OutcomePicture, pictureFor } from '../../../../ui/pictures/OutcomePicture.ts';
import { AmountText } from '../FittingAmount.tsx';
import { liveTexts } from '../../liveTexts.ts';
import { Glow } from '../../LiveMarks.tsx';
import parts from '../gridParts.module.css';

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
  isPart: boolean;
}

function TileSection({ section, isPart, ...props }: TileSectionProps) {
  const { panel, selection, result, booster, payable, disabled, dimmed, narrow, onToggle } = props;
  const { slot, title } = section;
  const [focused, setFocused] = useState<string | null>(null);
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

interface OutcomeTileProps {
  gameId: string;
  family: string;
  drawno: string;
  label: string;
  color: string | null;
  image: string | null;
  sum: number;
  pays: number;
  booster: number;
  collection: number;
  /** The payout exceeds the table's balance and the admin's credit. */
  uncovered: boolean;
  /** Sums that change with it do not glow. */
  scope: string;
  selected: boolean;
  sealed: boolean;
  alone: boolean;
  disabled: boolean;
  format: (points: number) => string;
  reachable: boolean;
  onToggle: (drawno: string) => void;
  onFocus: (drawno: string) => void;
}

/** Longer sums would be unreadably small on a phone. */
const LONG = 11;

/** CSS shrinks long texts by these lengths instead of truncating. */
function lengthOf(text: string): CSSProperties {
  const word = Math.max(...text.split(' ').map((each) => each.length));
  return { '--length': text.length, '--word': word } as CSSProperties;
}

/** Returns large text and its companion: number and name, or for `K` and `♠` the name first. */
function namesOf({ drawno, label }: Pick<OutcomeTileProps, 'drawno' | 'label'>): { main: string; side: string } {
  const main = label.length === 1 || !/^\d/.test(drawno) ? label : drawno;
  const side = main === drawno ? label : drawno;
  return { main, side: side.toLowerCase() === main.toLowerCase() ? '' : side };
}

const OutcomeTile = memo(function OutcomeTile(props: OutcomeTileProps) {
  const { drawno, color, sum, booster, collection, selected, sealed, format, onToggle, onFocus } = props;
  const part = share(sum, collection);
  const { pays, leaves } = consequence(props, booster, collection);
  const names = namesOf(props);
  const picture = pictureFor(props, props);
  return (
    <button
      type="button"
      className={`${parts.cell} ${classes.tile}`}
      data-drawno={drawno}
      data-sealed={sealed || undefined}
      data-uncovered={props.uncovered || undefined}
      data-long={formatPoints(sum).length > LONG || undefined}
      data-alone={props.alone || undefined}
      aria-pressed={selected}
      disabled={props.disabled}
      tabIndex={props.reachable ? 0 : -1}
      onClick={() => onToggle(drawno)}
      onFocus={() => onFocus(drawno)}
    >
      <Glow sum={sum} scope={props.scope} />
      <span className={classes.head} data-pictured={picture !== null || undefined}>
        {picture && <OutcomePicture {...picture} size={40} className={classes.image} />}
        <span className={classes.number} style={lengthOf(names.main)}>
          {names.main}
        </span>
        {names.side !== '' && (
          <span className={classes.label} style={lengthOf(names.side)} data-color={color ?? undefined}>
            {names.side}
          </span>
        )}
        {selected && <IconCheck className={classes.mark} aria-hidden />}
        {sealed && !selected && <IconLock className={classes.mark} aria-hidden />}
        {sealed && <span className="unseen">{gridTexts.result}</span>}
        {props.uncovered && <span className="unseen">{liveTexts.uncovered}</span>}
      </span>
      <span className={classes.stake}>
        <span className="unseen">{gridTexts.staked}</span>
        <Amount className={classes.sum!} points={sum} format={format} data-zero={sum === 0 || undefined} />
        <span className={classes.share}>{shareText(part)}</span>
      </span>
      <span className={`${parts.bar} ${classes.bar}`} aria-hidden>
        <span style={{ inlineSize: `${part * 100}%` }} />
      </span>
      <span className={classes.line} data-kind="pays">
        <span>{gridTexts.pays}</span>
        <Amount className={classes.amount!} points={pays} format={format} />
      </span>
      <span className={classes.line} data-kind="leaves">
        <span>{gridTexts.keeps}</span>
        <Amount
          className={classes.amount!}
          points={leaves}
          format={format}
          data-sign={leaves < 0 ? 'loss' : leaves > 0 ? 'gain' : undefined}
        />
      </span>
    </button>
  );
});

interface AmountProps {
  className: string;
  points: number;
  format: (points: number) => string;
  'data-zero'?: true | undefined;
  'data-sign'?: 'loss' | 'gain' | undefined;
}

function Amount({ points, format, ...props }: AmountProps) {
  const exact = formatPoints(points);
  const text = format(points);
  return <AmountText {...props} style={lengthOf(text)} text={text} exact={exact} />;
}
