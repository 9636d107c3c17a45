import type { PanelRow } from '@drawhouse/contract/live/live';
import { Button, NativeSelect } from '@mantine/core';
import { formatCount, formatPoints } from '../../../../lib/format.ts';
import { consequence } from '../../panel/panelMath.ts';
import { FigureChoice } from './FigureChoice.tsx';
import { FindField } from './FindField.tsx';
import type { Figure, Order, Standing } from './numbersMath.ts';
import { LABELS } from './numbersTexts.ts';
import classes from './NumbersGrid.module.css';

interface LabelBarProps {
  figure: Figure;
  onFigure: (figure: Figure) => void;
  order: Order;
  /** When the numbers were ranked, for people; null where they stand as they are counted. */
  rankedAt: string | null;
  onOrder: (order: Order) => void;
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

/** How the numbers are shown: what of them, in which order, and where one is. */
export function LabelBar({ figure, onFigure, order, rankedAt, onOrder, drawnos, onFind, onTake }: LabelBarProps) {
  return (
    <div className={classes.bar}>
      <FigureChoice figure={figure} onFigure={onFigure} />
      <NativeSelect
        size="xs"
        aria-label={LABELS.order}
        data={Object.entries(LABELS.orders).map(([value, label]) => ({ value, label }))}
        value={order}
        onChange={(event) => onOrder(event.currentTarget.value as Order)}
      />
      {rankedAt !== null && (
        <Button size="xs" variant="default" onClick={() => onOrder(order)}>
          {LABELS.rankAgain}
          <span className={classes.rankedAt}>{rankedAt}</span>
        </Button>
      )}
      <FindField drawnos={drawnos} onFind={onFind} onTake={onTake} />
    </div>
  );
}

interface StandingLineProps {
  rows: readonly PanelRow[];
  standing: Standing;
  booster: number;
  collection: number;
  onFind: (drawno: string) => void;
}

/** Where the money lies, in one line: the number that would cost most, the one that would cost least, and how many cost more than was collected. */
export function StandingLine({ rows, standing, booster, collection, onFind }: StandingLineProps) {
  if (standing.largest.pays === 0) return <p className={classes.standing}>{LABELS.noStakes}</p>;
  const ends = [
    { says: LABELS.dearest, row: rows[standing.dearest]! },
    { says: LABELS.cheapest, row: rows[standing.cheapest]! },
  ];
  return (
    <p className={classes.standing}>
      {ends.map(({ says, row }) => {
        const { leaves } = consequence(row, booster, collection);
        return (
          <span key={says}>
            {says}{' '}
            <button type="button" className={classes.end} onClick={() => onFind(row.drawno)}>
              {row.label}
            </button>
            , net <span data-sign={leaves < 0 ? 'loss' : 'gain'}>{formatPoints(leaves)}</span>.
          </span>
        );
      })}
      <span>
        {formatCount(standing.losses)} of {formatCount(rows.length)} pay more than was collected.
      </span>
    </p>
  );
}
