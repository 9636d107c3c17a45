import type { PanelGrid } from '@drawhouse/rules/layout';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import type { GridProps } from './grid.ts';
import { TileGrid } from './tiles/TileGrid.tsx';
import { unhurried } from './unhurried.tsx';

const WheelGrid = lazy(async () => ({ default: (await import('./wheel/WheelGrid.tsx')).WheelGrid }));
const NumberGrid = unhurried(lazy(async () => ({ default: (await import('./numbers/NumberGrid.tsx')).NumberGrid })));
const SeriesGrid = unhurried(lazy(async () => ({ default: (await import('./series/SeriesGrid.tsx')).SeriesGrid })));
const TiersGrid = unhurried(lazy(async () => ({ default: (await import('./tiers/TiersGrid.tsx')).TiersGrid })));

/** The component of each grid. Tiles are those of most games and come with the page. */
const GRIDS: Record<PanelGrid, ComponentType<GridProps>> = {
  tiles: TileGrid,
  wheel: WheelGrid,
  numbers: NumberGrid,
  series: SeriesGrid,
  tiers: TiersGrid,
};

/** The outcomes of a panel, in the grid of its layout. */
export function OutcomeGrid(props: GridProps) {
  const Grid = GRIDS[props.layout.grid];
  return (
    <Suspense fallback={<Skeleton height={420} radius={8} />}>
      <Grid {...props} />
    </Suspense>
  );
}
