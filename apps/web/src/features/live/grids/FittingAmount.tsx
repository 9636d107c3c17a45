import type { CSSProperties } from 'react';
import { formatPoints } from '../../../lib/format.ts';
import { useDigitWidth } from '../../../ui/digitWidth.ts';
import { AmountText } from '../AmountText.tsx';
import { amountInWidth } from './cellFigures.ts';
import classes from './FittingAmount.module.css';

interface FittingAmountProps {
  value: number;
  amountWidth: number;
  /** Suffix that needs space too. */
  after?: string;
}

/** Abbreviates amounts that would be unreadably small. */
export function FittingAmount({ value, amountWidth, after = '' }: FittingAmountProps) {
  const exact = formatPoints(value) + after;
  const text = amountInWidth(value, amountWidth, useDigitWidth(), after);
  const isKnown = Number.isFinite(amountWidth);
  const style = { '--length': text.length, ...(isKnown && { '--amount-room': `${amountWidth}px` }) } as CSSProperties;
  return <AmountText className={classes.amount} style={style} text={text} exact={exact} />;
}
