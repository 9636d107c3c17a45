import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from '../mark/marks.module.css';

type ChoiceButtonProps = Omit<ComponentProps<'button'>, 'color' | 'style'> & { chosen: boolean };

export function ChoiceButton({ chosen, ...rest }: ChoiceButtonProps) {
  return <Button size="xs" variant="default" className={classes.choice} aria-pressed={chosen} {...rest} />;
}
