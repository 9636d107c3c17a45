import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

/**
 * Pressing it keeps focus in the field: a validation message on blur would move the button from under the pointer and
 * lose the click.
 */
export function SubmitButton(props: ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'onMouseDown'>) {
  return <Button {...props} type="submit" onMouseDown={(event) => event.preventDefault()} />;
}
