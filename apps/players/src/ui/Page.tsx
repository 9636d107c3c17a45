import type { ReactNode } from 'react';
import styles from './Page.module.css';

interface PageLooks {
  /** One narrow column: forms, and what is read. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** What a page lies in, below the bar. */
export function Page({ isNarrow = false, children }: PageLooks) {
  return (
    <main className={styles.page} data-narrow={isNarrow || undefined}>
      {children}
    </main>
  );
}
