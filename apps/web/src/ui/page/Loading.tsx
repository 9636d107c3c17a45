import { Skeleton, Loader } from '@mantine/core';
import classes from './Loading.module.css';

/** Placeholder while the page's code loads. */
export function PageSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label="Loading the page">
      <Skeleton height={28} width={220} />
      <div className={classes.content} />
    </section>
  );
}

interface LoadingOverlayProps {
  visible: boolean;
  label?: string;
}

/** Covers the nearest positioned ancestor. Appears with a delay, so short requests never show it. */
export function LoadingOverlay({ visible, label = 'Loading' }: LoadingOverlayProps) {
  if (!visible) return null;
  return (
    <output className={classes.overlay} aria-label={label}>
      <Loader size="sm" aria-hidden />
    </output>
  );
}
