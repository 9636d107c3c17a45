import { useEffect, useRef, type ComponentProps } from 'react';
import classes from './Choices.module.css';
import { Button } from '@mantine/core';

interface TickBoxProps extends ComponentProps<'input'> {
  /** Without one, set `aria-label`. */
  label?: string;
  indeterminate?: boolean;
}

/** Use this on pages that load first: Mantine's checkbox brings along groups and cards. */
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

type ChoiceButtonProps = Omit<ComponentProps<'button'>, 'color' | 'style'> & { chosen: boolean };

export function ChoiceButton({ chosen, ...rest }: ChoiceButtonProps) {
  return <Button size="xs" variant="default" className={classes.choice} aria-pressed={chosen} {...rest} />;
}
