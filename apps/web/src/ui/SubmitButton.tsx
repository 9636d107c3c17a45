import { Button } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

/**
 * The main button of a form. Pressing it leaves the field in focus: what the field says on leaving would push the button from
 * under the pointer, and the press would be lost.
 */
export function SubmitButton(props: ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'onMouseDown'>) {
  return <Button {...props} type="submit" onMouseDown={(event) => event.preventDefault()} />;
}
