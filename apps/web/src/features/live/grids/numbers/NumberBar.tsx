import type { PanelRow } from '@drawhouse/contract/live/live';
import { Button, NativeSelect } from '@mantine/core';
import { formatCount, formatPoints } from '../../../../lib/format/format.ts';
import { consequence } from '../../panel/panelMath.ts';
import type { Figure } from './cellFigures.ts';
import { FigureChoice, FindField } from '../FindField.tsx';
import type { Order, Extremes } from './numberMath.ts';
import { gridTexts, numberTexts } from '../gridTexts.ts';
import classes from './NumberGrid.module.css';
import { richText } from '@drawhouse/session/rich-text';

interface NumberBarProps {
  figure: Figure;
  onFigure: (figure: Figure) => void;
  order: Order;
  /** Null in numeric order. */
  rankedAt: string | null;
  onOrder: (order: Order) => void;
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

export function NumberBar({ figure, onFigure, order, rankedAt, onOrder, drawnos, onFind, onTake }: NumberBarProps) {
  return (
    <div className={classes.bar}>
      <FigureChoice figure={figure} onFigure={onFigure} />
      <NativeSelect
        size="xs"
        aria-label={numberTexts.order}
        data={Object.entries(numberTexts.orders).map(([value, label]) => ({ value, label }))}
        value={order}
        onChange={(event) => onOrder(event.currentTarget.value as Order)}
      />
      {rankedAt !== null && (
        <Button size="xs" variant="default" onClick={() => onOrder(order)}>
          {numberTexts.rankAgain}
          <span className={classes.rankedAt}>{rankedAt}</span>
        </Button>
      )}
      <FindField drawnos={drawnos} onFind={onFind} onTake={onTake} />
    </div>
  );
}

interface StandingLineProps {
  rows: readonly PanelRow[];
  extremes: Extremes;
  booster: number;
  collection: number;
  onFind: (drawno: string) => void;
}

export function ExtremesLine({ rows, extremes, booster, collection, onFind }: StandingLineProps) {
  if (extremes.largest.pays === 0) return <p className={classes.standing}>{numberTexts.noStakes}</p>;
  const ends = [
    { label: numberTexts.dearest, row: rows[extremes.dearest]! },
    { label: numberTexts.cheapest, row: rows[extremes.cheapest]! },
  ];
  return (
    <p className={classes.standing}>
      {ends.map(({ label, row }) => {
        const { leaves } = consequence(row, booster, collection);
        return (
          <span key={label}>
            {label}{' '}
            <button type="button" className={classes.end} onClick={() => onFind(row.drawno)}>
              {row.label}
            </button>
            {richText(gridTexts.net, {
              span: <span data-sign={leaves < 0 ? 'loss' : 'gain'}>{formatPoints(leaves)}</span>,
            })}
          </span>
        );
      })}
      <span>{gridTexts.payMoreThanWas(formatCount(extremes.losses), formatCount(rows.length))}</span>
    </p>
  );
}
