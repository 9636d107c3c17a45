import type { PanelGrid } from '@drawhouse/rules/panel/layout';
import { Skeleton } from '@mantine/core';
import {
  lazy,
  Suspense,
  memo,
  startTransition,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
} from 'react';
import type { GridProps } from './grid.ts';
import { TileGrid } from './tiles/TileGrid.tsx';

/** Fills the window, so that nothing visible moves when the grid arrives. */
const GRID_PLACEHOLDER = <Skeleton height="max(420px, 100dvh)" radius={8} />;
const SCROLLED_MS = 150;
/** Figures are unreadable while scrolling. */
const PACE_MS = 1_000;

/**
 * Renders a large grid after the rest of its panel. Updates it at low priority, and once a second while scrolling. A
 * new draw renders at once.
 */
function lowPriority(Grid: ComponentType<GridProps>): ComponentType<GridProps> {
  const Still = memo(Grid);
  return function Unhurried({ panel, payable, ...props }: GridProps) {
    const figures = useMemo(() => ({ panel, payable }), [panel, payable]);
    const unhurried = useUnhurried(figures);
    const isFirst = !useDeferredValue(true, false);
    return isFirst ? GRID_PLACEHOLDER : <Still {...props} {...unhurried} />;
  };
}

type Figures = Pick<GridProps, 'panel' | 'payable'>;

function useUnhurried(figures: Figures): Figures {
  const [shown, setShown] = useState(figures);
  const scrolledAt = useRef(-Infinity);
  const shownAt = useRef(-Infinity);

  useEffect(() => {
    const onScroll = () => {
      scrolledAt.current = performance.now();
    };
    // An inner element scrolls, not the window.
    const options = { capture: true, passive: true };
    window.addEventListener('scroll', onScroll, options);
    return () => window.removeEventListener('scroll', onScroll, options);
  }, []);

  useEffect(() => {
    if (figures === shown) return;
    const show = () => {
      shownAt.current = performance.now();
      startTransition(() => setShown(figures));
    };
    const now = performance.now();
    const isScrolled = now - scrolledAt.current < SCROLLED_MS && figures.panel.draw?._id === shown.panel.draw?._id;
    const wait = isScrolled ? shownAt.current + PACE_MS - now : 0;
    if (wait <= 0) return show();
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [figures, shown]);

  return shown;
}

const WheelGrid = lazy(async () => ({ default: (await import('./wheel/WheelGrid.tsx')).WheelGrid }));
const NumberGrid = lowPriority(lazy(async () => ({ default: (await import('./numbers/NumberGrid.tsx')).NumberGrid })));
const SeriesGrid = lowPriority(lazy(async () => ({ default: (await import('./series/SeriesGrid.tsx')).SeriesGrid })));
const TiersGrid = lowPriority(lazy(async () => ({ default: (await import('./tiers/TiersGrid.tsx')).TiersGrid })));

/** Most games use tiles, so they load with the page. */
const GRIDS: Record<PanelGrid, ComponentType<GridProps>> = {
  tiles: TileGrid,
  wheel: WheelGrid,
  numbers: NumberGrid,
  series: SeriesGrid,
  tiers: TiersGrid,
};

export function OutcomeGrid(props: GridProps) {
  const Grid = GRIDS[props.layout.grid];
  return (
    <Suspense fallback={GRID_PLACEHOLDER}>
      <Grid {...props} />
    </Suspense>
  );
}
