import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps, ComponentType } from 'react';

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
