import { Skeleton } from '@mantine/core';
import classes from './PageSkeleton.module.css';

/** Stands in for a page while its part of the app is on its way: a head, and empty rows where its content will be. */
export function PageSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label="Loading the page">
      <Skeleton height={28} width={220} />
      <div className={classes.content} />
    </section>
  );
}
