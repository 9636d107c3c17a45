import type { PanelRow } from '@drawhouse/contract/live/live';
import { FittingAmount } from '../FittingAmount.tsx';
import { consequence } from '../../panel/panelMath.ts';
import { groupTexts } from '../groupTexts.ts';
import parts from '../gridParts.module.css';
import classes from './SeriesGrid.module.css';

interface NumberLineProps {
  /** By which a cell names it as its description. */
  id: string;
  row: PanelRow;
  /** The sub-series, and what is staked on it. */
  title: string;
  collection: number;
  booster: number;
  /** Why it is this one; empty where it is merely looked at. */
  note: string;
  /** What each amount has, in px. */
  amountWidth: number;
}

/** All about one number: what is staked on it, and what choosing it pays and leaves of its sub-series. */
export function NumberLine({ id, row, title, collection, booster, note, amountWidth }: NumberLineProps) {
  const { pays, leaves } = consequence(row, booster, collection);
  const figures: { name: string; of?: string; value: number; sign?: 'loss' | 'gain' | undefined }[] = [
    { name: groupTexts.staked, value: row.sum },
    { name: groupTexts.paysWith(booster), value: pays },
    { name: groupTexts.leaves, of: title, value: leaves, sign: leaves < 0 ? 'loss' : leaves > 0 ? 'gain' : undefined },
  ];
  return (
    <section className={`${parts.line} ${classes.line}`} aria-label={`${groupTexts.numberOf} ${row.drawno}`}>
      <div>
        <strong className={classes.lineNumber}>{row.drawno}</strong>{' '}
        <span className={`${parts.note} ${classes.note}`}>{note}</span>
      </div>
      <dl className={classes.lineFigures} id={id}>
        {figures.map(({ name, of, value, sign }) => (
          <div key={name}>
            <dt>
              {name}
              {of !== undefined && <span className={classes.of}> of {of}</span>}
            </dt>
            <dd data-sign={sign}>
              <FittingAmount value={value} amountWidth={amountWidth} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
