import { Skeleton, Loader } from '@mantine/core';
import classes from './Loading.module.css';
import { pageTexts } from '../uiTexts.ts';

export type PageShape = 'table' | 'form' | 'other';

const FIELDS = [1, 2, 3, 4];

export function PageSkeleton({ shape }: { shape: PageShape }) {
  return (
    <section className={classes.page} aria-busy aria-label={pageTexts.loadingPage}>
      <Skeleton height={28} width={220} />
      {shape === 'table' && <div className={classes.rows} />}
      {shape === 'form' &&
        FIELDS.map((field) => (
          <div key={field} className={classes.field}>
            <Skeleton height={12} width={96} />
            <Skeleton height={36} />
          </div>
        ))}
    </section>
  );
}

interface LoadingOverlayProps {
  visible: boolean;
  label?: string;
}

/** Covers the nearest positioned ancestor. Short requests never show it. */
export function LoadingOverlay({ visible, label = 'Loading' }: LoadingOverlayProps) {
  if (!visible) return null;
  return (
    <output className={classes.overlay} aria-label={label}>
      <Loader size="sm" aria-hidden />
    </output>
  );
}
