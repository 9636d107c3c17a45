import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { arriveAt } from '../lib/navigation.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import styles from './PageHeading.module.css';

interface PageHeadingProps {
  /** What the page is called, here and on the tab. */
  title: string;
  /** What it is called on the tab, where that is more. */
  tabTitle?: string;
  /** For those who hear it alone, where the page shows by itself what it is. */
  isUnseen?: boolean;
  /** What stands beside it. */
  children?: ReactNode;
}

/** The heading of a page: it names the tab, and takes the focus when the page is reached from another one. */
export function PageHeading({ title, tabTitle = title, isUnseen = false, children }: PageHeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => arriveAt(ref.current!), []);
  return (
    <div className={isUnseen ? 'unseen' : styles.heading}>
      <title>{`${tabTitle} – ${playerTexts.product}`}</title>
      <h1 ref={ref} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
