import { lazy, Suspense } from 'react';
import { LiveTablesPage } from '../../features/live/tables/LiveTablesPage.tsx';

const GamesReturns = lazy(async () => ({
  default: (await import('../../features/games/catalog/GamesReturns.tsx')).GamesReturns,
}));

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
