import { Skeleton } from '@mantine/core';
import classes from './LivePanelPage.module.css';

const TILES = Array.from({ length: 10 }, (_, index) => index);

export function PanelSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label="Loading the panel">
      <Skeleton height={56} width={280} />
      <Skeleton height={40} />
      <div className={classes.middle}>
        <div className={classes.skeletonGrid}>
          {TILES.map((tile) => (
            <Skeleton key={tile} height={136} radius={8} />
          ))}
        </div>
        <Skeleton height={420} radius={8} visibleFrom="sm" />
      </div>
    </section>
  );
}
