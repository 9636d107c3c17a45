import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { PathLink } from './PathLink.tsx';

export interface AddLinkTo {
  label: string;
  href: string;
}

/** `again`: the page already has this as its main action. */
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
