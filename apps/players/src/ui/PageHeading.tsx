import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { arriveAt } from '../lib/navigation.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import styles from './PageHeading.module.css';

interface PageHeadingProps {
  title: string;
  tabTitle?: string;
  isUnseen?: boolean;
  children?: ReactNode;
}

/** Sets the tab title, and takes focus after navigation. */
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
