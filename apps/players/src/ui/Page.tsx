import styles from './Page.module.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { arriveAt } from '../lib/navigation.ts';
import { house } from '@drawhouse/session/house';
import { playerTexts } from '../lib/playerTexts.ts';
import { failureText } from '../lib/server/playerApi.ts';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

interface PageLooks {
  isNarrow?: boolean;
  children: ReactNode;
}

export function Page({ isNarrow = false, children }: PageLooks) {
  return (
    <main className={styles.page} data-narrow={isNarrow || undefined}>
      {children}
    </main>
  );
}

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
      <title>{`${tabTitle} – ${house.name}`}</title>
      <h1 ref={ref} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}

export function Skeleton({ heights, label = playerTexts.loading }: { heights: readonly number[]; label?: string }) {
  return (
    <output className={styles.skeleton} aria-label={label}>
      {heights.map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <i key={index} style={{ height }} />
      ))}
    </output>
  );
}

export function ReadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Notice
      tone="bad"
      isSaid
      title={failureText(error)}
      action={<Button onClick={onRetry}>{playerTexts.tryAgain}</Button>}
    >
      {playerTexts.nothingChanged}
    </Notice>
  );
}
