import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { PathLink } from './PathLink.tsx';

/** Where a new row of a list is made, and what the button says. */
export interface AddLinkTo {
  label: string;
  href: string;
}

/** The button that leads to the form of a new row; `again` where the page has it already as its main action. */
export function AddLink({ label, href, again = false }: AddLinkTo & { again?: boolean }) {
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
