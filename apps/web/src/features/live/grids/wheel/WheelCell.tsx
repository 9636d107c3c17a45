import type { PanelRow } from '@drawhouse/contract/live/live';
import { SIGNS } from '@drawhouse/pictures/pockets';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { type CSSProperties, memo } from 'react';
import { formatPoints } from '../../../../lib/format/format.ts';
import { Glow } from '../../LiveMarks.tsx';
import { liveTexts } from '../../liveTexts.ts';
import parts from '../gridParts.module.css';
import type { WheelPlace } from './wheelLayout.ts';
import { wheelTexts } from '../gridTexts.ts';
import classes from './WheelGrid.module.css';
import { gridFormat } from '../../liveFormat.ts';
import { consequence, share, shareText } from '../../panel/panelMath.ts';

const LEAST_FONT = 12;
/** Width of the space beside a figure. */
const EDGES_PX = 8;

/** Makes all amounts readable at this width. `digit`: digit width relative to the font size. */
export function wheelFormat(amounts: readonly number[], widthPx: number, digit: number): (points: number) => string {
  return gridFormat(amounts, (text) => text.length * digit * LEAST_FONT <= widthPx - EDGES_PX);
}

interface WheelFigures {
  sum: number;
  pays: number;
  leaves: number;
  part: number;
  percent: string;
}

export function figuresOf(row: Pick<PanelRow, 'sum' | 'pays'>, booster: number, collection: number): WheelFigures {
  const part = share(row.sum, collection);
  return { sum: row.sum, part, percent: shareText(part), ...consequence(row, booster, collection) };
}

export function signOf(points: number): 'loss' | 'gain' | undefined {
  return points < 0 ? 'loss' : points > 0 ? 'gain' : undefined;
}

interface WheelCellProps {
  drawno: string;
  color: string | null;
  sum: number;
  pays: number;
  booster: number;
  collection: number;
  uncovered: boolean;
  scope: string;
  place: WheelPlace;
  format: (points: number) => string;
  /** `least`: sum and net. `names`: all figures, with labels. */
  detail: 'least' | 'pays' | 'names';
  selected: boolean;
  sealed: boolean;
  disabled: boolean;
  reachable: boolean;
  onToggle: (drawno: string) => void;
  onFocus: (drawno: string | null) => void;
  onPoint: (drawno: string | null) => void;
}

export const WheelCell = memo(function WheelCell(props: WheelCellProps) {
  const { drawno, color, selected, sealed, format, onFocus, onPoint } = props;
  const { sum, part, percent, pays, leaves } = figuresOf(props, props.booster, props.collection);
  const description = [
    `${drawno} ${color ?? ''}${sealed ? `, ${wheelTexts.result}` : ''}`,
    `${wheelTexts.staked} ${formatPoints(sum)}, ${percent}`,
    `${wheelTexts.pays} ${formatPoints(pays)}`,
    `${wheelTexts.leaves} ${formatPoints(leaves)}`,
    ...(props.uncovered ? [liveTexts.uncovered] : []),
  ];
  return (
    <button
      type="button"
      className={`${parts.cell} ${classes.cell}`}
      style={props.place}
      data-drawno={drawno}
      data-color={color ?? undefined}
      data-sealed={sealed || undefined}
      data-uncovered={props.uncovered || undefined}
      aria-pressed={selected}
      aria-disabled={props.disabled || undefined}
      tabIndex={props.reachable ? 0 : -1}
      onClick={() => props.disabled || props.onToggle(drawno)}
      onFocus={() => onFocus(drawno)}
      onPointerEnter={() => onPoint(drawno)}
      onPointerLeave={() => onPoint(null)}
    >
      <span className="unseen">{description.join('. ')}</span>
      <Glow sum={sum} scope={props.scope} />
      <span className={classes.head} aria-hidden>
        <span className={classes.number}>{drawno}</span>
        <ColorSign color={color} />
        {selected && <IconCheck className={classes.mark} />}
        {sealed && !selected && <IconLock className={classes.mark} />}
      </span>
      <span className={classes.body} aria-hidden>
        <Figure points={sum} format={format} kind="sum" />
        <span className={`${parts.bar} ${classes.bar}`}>
          <span style={{ inlineSize: `${part * 100}%` }} />
        </span>
        {props.detail !== 'least' && (
          <Figure points={pays} format={format} kind="pays" named={props.detail === 'names'} />
        )}
        <Figure points={leaves} format={format} kind="leaves" named={props.detail === 'names'} />
      </span>
    </button>
  );
});

interface FigureProps {
  points: number;
  format: (points: number) => string;
  kind: 'sum' | 'pays' | 'leaves';
  named?: boolean;
}

function Figure({ points, format, kind, named = false }: FigureProps) {
  const text = format(points);
  return (
    <span
      className={classes.figure}
      style={{ '--length': text.length } as CSSProperties}
      data-kind={kind}
      data-named={named || undefined}
      data-zero={points === 0 || undefined}
    >
      {named && <span className={classes.name}>{kind === 'pays' ? wheelTexts.pays : wheelTexts.leaves}</span>}
      <span data-sign={kind === 'leaves' ? signOf(points) : undefined}>{text}</span>
    </span>
  );
}

/** Uses the signs of the pictures. */
export function ColorSign({ color }: { color: string | null }) {
  const path = Object.entries(SIGNS).find(([name]) => name === color)?.[1];
  return (
    path && (
      <svg className={classes.sign} viewBox="18 34 12 12" aria-hidden>
        <path d={path} />
      </svg>
    )
  );
}
