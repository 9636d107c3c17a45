import type { ReactNode } from 'react';
import styles from './Page.module.css';

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
