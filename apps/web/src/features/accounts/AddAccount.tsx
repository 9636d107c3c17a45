import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { PathLink } from '../../ui/PathLink.tsx';

/** Where an account is added, and what the button says. */
export interface AddAccountLink {
  label: string;
  href: string;
}

/** The button that leads to the form of a new account; `again` where the page has it already as its main action. */
export function AddAccount({ label, href, again = false }: AddAccountLink & { again?: boolean }) {
  return (
    <Button
      component={PathLink}
      href={href}
      variant={again ? 'default' : 'filled'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {label}
    </Button>
  );
}
