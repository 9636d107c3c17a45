import { Skeleton } from '@mantine/core';
import classes from './PageSkeleton.module.css';

/** Placeholder while the page's code loads. */
export function PageSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label="Loading the page">
      <Skeleton height={28} width={220} />
      <div className={classes.content} />
    </section>
  );
}
