import { useEffect, useRef } from 'react';
import type { ComponentProps } from 'react';
import classes from './TickBox.module.css';

interface TickBoxProps extends ComponentProps<'input'> {
  /** Stands beside the box. Without one, an `aria-label` names it. */
  label?: string;
  /** Some of what it stands for is ticked. */
  indeterminate?: boolean;
}

/** A box to tick, for pages that are fetched first: Mantine's brings groups and cards with it. */
export function TickBox({ label, indeterminate = false, ...input }: TickBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const tick = <input {...input} ref={box} type="checkbox" className={classes.box} />;
  if (label === undefined) return tick;
  return (
    <label className={classes.label}>
      {tick}
      {label}
    </label>
  );
}
