import { house } from '@drawhouse/session/house';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PathLink } from './PathLink.tsx';
import classes from './PageHeader.module.css';

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
