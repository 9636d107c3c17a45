import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { firstTexts } from '../firstTexts.ts';
import { PathLink } from './PathLink.tsx';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  title: string;
  /** Whose page it is, beside the title. */
  of?: string;
  /** Where that name leads. */
  ofHref?: string | undefined;
  /** The page's one main action, on the same line. */
  action?: ReactNode;
  /** Filters, on the next line. */
  children?: ReactNode;
}

/** The head of a page: title and main action on one line, filters on the next. Names the browser's tab too. */
export function PageHeader({ title, of, ofHref, action, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <title>{`${of === undefined ? title : `${title} ${of}`} – ${firstTexts.product}`}</title>
      <div className={classes.line}>
        <div className={classes.titles}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {of !== undefined && (
            <span className={classes.of}>{ofHref === undefined ? of : <PathLink href={ofHref}>{of}</PathLink>}</span>
          )}
        </div>
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </div>
      {children !== undefined && <div className={classes.filters}>{children}</div>}
    </header>
  );
}
