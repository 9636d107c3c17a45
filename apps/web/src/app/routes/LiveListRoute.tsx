import { lazy, Suspense } from 'react';
import { LiveTablesPage } from '../../features/live/tables/LiveTablesPage.tsx';

const GamesReturns = lazy(async () => ({
  default: (await import('../../features/games/GamesReturns.tsx')).GamesReturns,
}));

/** All live panels that the signed-in account may open, and the theoretical returns of its games. */
export function LiveListRoute() {
  return (
    <LiveTablesPage
      action={
        <Suspense>
          <GamesReturns />
        </Suspense>
      }
    />
  );
}
