import type { CSSProperties } from 'react';
import { formatPoints } from '../../../lib/format.ts';
import { useDigitWidth } from '../../../ui/digitWidth.ts';
import { fittingText } from './labelMath.ts';
import classes from './FittingAmount.module.css';

interface FittingAmountProps {
  value: number;
  /** What there is for it, in px. */
  room: number;
  /** What stands behind it, and needs room too. */
  after?: string;
}

/** An amount that can be read in its room: where it is too long it stands there in short, and whole in its title and for who can't see it. */
export function FittingAmount({ value, room, after = '' }: FittingAmountProps) {
  const exact = formatPoints(value) + after;
  const text = fittingText(value, room, useDigitWidth(), after);
  const isKnown = Number.isFinite(room);
  const style = { '--length': text.length, ...(isKnown && { '--amount-room': `${room}px` }) } as CSSProperties;
  if (text === exact)
    return (
      <span className={classes.amount} style={style}>
        {exact}
      </span>
    );
  return (
    <span className={classes.amount} style={style} title={exact}>
      <span aria-hidden>{text}</span>
      <span className="unseen">{exact}</span>
    </span>
  );
}
