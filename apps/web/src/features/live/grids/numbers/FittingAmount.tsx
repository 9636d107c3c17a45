import type { CSSProperties } from 'react';
import { formatPoints } from '../../../../lib/format.ts';
import { useDigitWidth } from '../../../../ui/digitWidth.ts';
import { AmountText } from '../../AmountText.tsx';
import { amountInRoom } from './numbersMath.ts';
import classes from './FittingAmount.module.css';

interface FittingAmountProps {
  value: number;
  /** What there is for it, in px. */
  room: number;
  /** What stands behind it, and needs room too. */
  after?: string;
}

/** An amount that can be read in its room: where it is too long it stands there in short. */
export function FittingAmount({ value, room, after = '' }: FittingAmountProps) {
  const exact = formatPoints(value) + after;
  const text = amountInRoom(value, room, useDigitWidth(), after);
  const isKnown = Number.isFinite(room);
  const style = { '--length': text.length, ...(isKnown && { '--amount-room': `${room}px` }) } as CSSProperties;
  return <AmountText className={classes.amount} style={style} text={text} exact={exact} />;
}
