import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  title: string;
  /** The page's one main action, on the same line. */
  action?: ReactNode;
  /** Filters, on the next line. */
  children?: ReactNode;
}

/** The head of a page: title and main action on one line, filters on the next. Names the browser's tab too. */
export function PageHeader({ title, action, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <title>{title}</title>
      <div className={classes.line}>
        <Title order={1} className={classes.title}>
          {title}
        </Title>
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </div>
      {children !== undefined && <div className={classes.filters}>{children}</div>}
    </header>
  );
}
