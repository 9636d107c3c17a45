import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps, ComponentType } from 'react';
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import type { Export } from '../../lib/server/useExport.ts';
import { PathLink } from './PathLink.tsx';

type HeadButtonProps = Omit<ComponentProps<'button'>, 'color' | 'children' | 'style' | 'name'> & {
  name: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  variant?: 'default' | 'filled' | 'subtle';
  color?: string;
  loading?: boolean;
};

export function HeadButton({ name, icon: Icon, variant = 'filled', ...rest }: HeadButtonProps) {
  const phone = useMediaQuery('(max-width: 599px)', undefined, { getInitialValueInEffect: false }) ?? false;
  if (phone) {
    return (
      <ActionIcon variant={variant} size="lg" aria-label={name} {...rest}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    );
  }
  return (
    <Button variant={variant} leftSection={<Icon size={16} aria-hidden />} {...rest}>
      {name}
    </Button>
  );
}

interface ExportButtonProps {
  exporting: Export;
  name: string;
  icon?: ComponentProps<typeof HeadButton>['icon'];
}

export function ExportButton({ exporting, name, icon = IconFileSpreadsheet }: ExportButtonProps) {
  const busy = exporting.state !== null && exporting.state.error === null;
  return (
    <HeadButton
      name={name}
      icon={icon}
      variant="default"
      aria-disabled={busy}
      data-busy={busy || undefined}
      onClick={exporting.start}
    />
  );
}

export interface AddLinkTo {
  label: string;
  href: string;
}

/** `again`: the page has this as its main action. */
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
