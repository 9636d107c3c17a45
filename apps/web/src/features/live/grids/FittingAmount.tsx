import type { CSSProperties, ComponentProps } from 'react';
import { formatPoints } from '../../../lib/format/format.ts';
import { useDigitWidth } from '../../../ui/useWidth.ts';
import { amountInWidth } from './numbers/cellFigures.ts';
import classes from './gridParts.module.css';

interface FittingAmountProps {
  value: number;
  amountWidth: number;
  after?: string;
}

/** Abbreviates amounts that would be too small to read. */
export function FittingAmount({ value, amountWidth, after = '' }: FittingAmountProps) {
  const exact = formatPoints(value) + after;
  const text = amountInWidth(value, amountWidth, useDigitWidth(), after);
  const isMeasured = Number.isFinite(amountWidth);
  const style = {
    '--length': text.length,
    ...(isMeasured && { '--amount-room': `${amountWidth}px` }),
  } as CSSProperties;
  return <AmountText className={classes.amount} style={style} text={text} exact={exact} />;
}

interface AmountTextProps extends ComponentProps<'span'> {
  text: string;
  exact: string;
}

/** Title and screen readers get the exact amount. */
export function AmountText({ text, exact, ...props }: AmountTextProps) {
  if (text === exact) return <span {...props}>{text}</span>;
  return (
    <span {...props} title={exact}>
      <span aria-hidden>{text}</span>
      <span className="unseen">{exact}</span>
    </span>
  );
}
