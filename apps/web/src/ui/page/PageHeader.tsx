import { house } from '@drawhouse/session/house';
import { Title, ActionIcon, Button } from '@mantine/core';
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react';
import type { ReactNode, ComponentProps, ComponentType } from 'react';
import { useIsPhone } from '../useWidth.ts';
import { PathLink } from './PathLink.tsx';
import classes from './PageHeader.module.css';
import type { Export } from '../../lib/server/useExport.ts';

interface PageHeaderProps {
  title: string;
  of?: string;
  ofHref?: string | undefined;
  badge?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/** Also sets the browser tab's title. */
export function PageHeader({ title, of, ofHref, badge, action, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <title>{`${of === undefined ? title : `${title} ${of}`} – ${house.name}`}</title>
      <div className={classes.line}>
        <div className={classes.titles}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {of !== undefined && (
            <span className={classes.of}>{ofHref === undefined ? of : <PathLink href={ofHref}>{of}</PathLink>}</span>
          )}
          {badge}
        </div>
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </div>
      {children !== undefined && <div className={classes.filters}>{children}</div>}
    </header>
  );
}

type HeadButtonProps = Omit<ComponentProps<'button'>, 'color' | 'children' | 'style' | 'name'> & {
  name: string;
  icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  variant?: 'default' | 'filled' | 'subtle';
  color?: string;
  loading?: boolean;
};

export function HeadButton({ name, icon: Icon, variant = 'filled', ...rest }: HeadButtonProps) {
  const phone = useIsPhone();
  if (phone && variant !== 'filled') {
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

type HeadLinkProps = Pick<HeadButtonProps, 'name' | 'icon'> & { href: string };

export function HeadLink({ name, icon: Icon, href }: HeadLinkProps) {
  const phone = useIsPhone();
  if (phone) {
    return (
      <ActionIcon component={PathLink} href={href} variant="default" size="lg" aria-label={name}>
        <Icon size={18} aria-hidden />
      </ActionIcon>
    );
  }
  return (
    <Button component={PathLink} href={href} variant="default" leftSection={<Icon size={16} aria-hidden />}>
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
